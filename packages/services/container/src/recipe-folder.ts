import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const inPackage = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))

/** Folder of what the image is built from; the same place from sources and from the build. */
export const RECIPE_FOLDER = inPackage('recipe')

/** Version of this vid: all of its packages share one. */
export const vidVersion = (): string =>
  (JSON.parse(readFileSync(inPackage('package.json'), 'utf8')) as { version: string }).version
