import { realpath } from 'node:fs/promises'
import { fontPackagesBeside } from './fonts/font-package.ts'
import { packageFolder } from './libraries/bundled-library.ts'
import { CATALOGUE } from './libraries/library-catalogue.ts'

/**
 * The packages that do not come with vid, and that every page gets where they are installed beside it: libraries and fonts.
 * By name, with the absolute folder of each, links resolved.
 */
export const packagesBeside = async (): Promise<ReadonlyMap<string, string>> => {
  const packages = new Map(await fontPackagesBeside())
  for (const [name, { isProjectOnly }] of Object.entries(CATALOGUE)) {
    const folder = isProjectOnly && packageFolder(name)
    if (folder) packages.set(name, await realpath(folder))
  }
  return packages
}
