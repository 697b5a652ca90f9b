// The packages of this repository, as its scripts see them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Absolute path of something in the repository. */
export const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))

/** Folders of `packages`: what is common, what renders, and what stands upon it for authors and for servers. */
export const DISTRICTS = ['base', 'engine', 'authoring', 'services']

const foldersOf = (group) =>
  readdirSync(path(group))
    .map((name) => `${group}/${name}`)
    .filter((folder) => existsSync(path(`${folder}/package.json`)))

const byName = (a, b) => (basename(a) < basename(b) ? -1 : 1)

/**
 * Every workspace package: its folder (such as `packages/base/kernel` or `plugins/encoder-mp4`) and its manifest; the
 * packages of all districts by name, then the plugins, then the presets.
 */
export const workspaces = () =>
  [DISTRICTS.map((district) => `packages/${district}`), ['plugins'], ['presets']]
    .flatMap((groups) => groups.flatMap(foldersOf).sort(byName))
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(path(`${folder}/package.json`), 'utf8')),
    }))
