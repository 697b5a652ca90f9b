// What `npm run build` makes besides types: the packages, what they carry, and the notices of what others made.
import { bundlePackages } from './bundle/packages.mjs'
import { buildParts } from './bundle/parts.mjs'
import { clearBundled } from './notices/bundled.mjs'
import { writeNotices } from './notices/write.mjs'

clearBundled()
// Clears earlier scripts out of each package's dist, so the parts come after it.
await bundlePackages()
await buildParts()
writeNotices()
