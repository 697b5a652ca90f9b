// The packages of this repository, as its scripts see them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Absolute path of something in the repository. */
export const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))

/** Every workspace package: its folder (such as `plugins/encoder-mp4`) and its manifest, sorted by folder. */
export const workspaces = () =>
  ['packages', 'plugins', 'presets']
    .flatMap((group) => readdirSync(path(group)).map((name) => `${group}/${name}`))
    .filter((folder) => existsSync(path(`${folder}/package.json`)))
    .sort()
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(path(`${folder}/package.json`), 'utf8')),
    }))
