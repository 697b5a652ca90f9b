// Which files each build put into a package: what the notices are made from, kept beside the installed packages.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { path } from '../workspaces.mjs'

const RECORDS = path('node_modules/.cache/vid/bundled')

const prefixOf = (folder) => `${folder.replaceAll('/', '+')}@`

/** The package that a file belongs to, relative to the repository: a library, or one of ours whose built files are bundled. */
const packageOf = (file) =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+|^(?:packages\/[^/]+|plugins|presets)\/[^/]+(?=\/dist\/)/.exec(file)?.[0]

/** Forgets what earlier builds recorded. */
export const clearBundled = () => rmSync(RECORDS, { recursive: true, force: true })

/** Records the files, relative to the repository, that one part of the package in `folder` was bundled from. */
export const recordBundled = (folder, part, files) => {
  const libraries = new Set(files.map(packageOf).filter((library) => library && existsSync(path(library))))
  libraries.delete(folder)
  mkdirSync(RECORDS, { recursive: true })
  writeFileSync(join(RECORDS, `${prefixOf(folder)}${part}.json`), `${JSON.stringify([...libraries].sort())}\n`)
}

/** The folders of the libraries in a package's files, relative to the repository; needs a build. */
export const bundledLibraries = (folder) => {
  if (!existsSync(RECORDS)) throw new Error('the packages are not built: run npm run build')
  const records = readdirSync(RECORDS).filter((file) => file.startsWith(prefixOf(folder)))
  const packages = records.flatMap((file) => JSON.parse(readFileSync(join(RECORDS, file), 'utf8')))
  const libraries = packages.flatMap((folder) =>
    folder.includes('node_modules/') ? [folder] : bundledLibraries(folder),
  )
  return [...new Set(libraries)].sort()
}
