// What `npm run build` makes besides types: the packages, and what they carry.
import { cpSync, rmSync } from 'node:fs'
import { bundleLibraries } from './bundle/libraries.mjs'
import { bundlePackages } from './bundle/packages.mjs'
import { bundlePage } from './bundle/page.mjs'
import { path } from './workspaces.mjs'

await bundlePackages()
await bundlePage()
await bundleLibraries()

// What `vid plugin create` copies: the templates that are tested in their place here.
rmSync(path('packages/cli/dist/templates'), { recursive: true, force: true })
cpSync(path('scripts/templates'), path('packages/cli/dist/templates'), { recursive: true })
