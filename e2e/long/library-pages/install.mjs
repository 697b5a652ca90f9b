// The pages made with popular libraries, in a folder where those are installed.
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages } from '../../../bench/installed-packages.mjs'
import { path } from '../../../scripts/workspaces.mjs'
import { compileSvelte } from './svelte.mjs'
import { LIBRARIES } from './versions.mjs'

const INSTALLING_MS = 600_000

/** Installs the libraries; resolves to the folder, and to the names of the pages in it whose path begins as given. */
export const installLibraryPages = async (beginning = '') => {
  const folder = await installPackages('library-pages', LIBRARIES, AbortSignal.timeout(INSTALLING_MS))
  const pages = join(folder, 'pages')
  rmSync(pages, { recursive: true, force: true })
  cpSync(path('bench/library-pages'), pages, { recursive: true })
  compileSvelte(pages)
  const names = readdirSync(pages, { recursive: true })
    .filter((name) => name.endsWith('.html') && name.startsWith(beginning))
    .map((name) => `pages/${name.replace('.html', '')}`)
    .sort()
  return { folder, names }
}
