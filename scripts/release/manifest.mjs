// A package's manifest as it is published. npm packs package.json as it lies there: it does not apply publishConfig.exports.

import { posix } from 'node:path'
import { NOTICES } from '../notices/write.mjs'

/** Conditions of an entry without the one that points at sources, which are not published. */
const publishedEntry = (entry) =>
  typeof entry === 'object' && entry !== null
    ? Object.fromEntries(
        Object.entries(entry)
          .filter(([condition]) => condition !== 'development')
          .map(([condition, value]) => [condition, publishedEntry(value)]),
      )
    : entry

const CONTRACTS = '@vid/kernel'

/**
 * A plugin uses the kernel that is installed beside it. In the workspace it is an ordinary dependency: for the tool that
 * numbers versions, a new version of a peer dependency is a breaking change.
 */
const publishedDependencies = ({ version, dependencies = {} }, folder) => {
  if (!folder.startsWith('plugins/') || !Object.hasOwn(dependencies, CONTRACTS)) return {}
  const { [CONTRACTS]: _kernel, ...others } = dependencies
  return { dependencies: others, peerDependencies: { [CONTRACTS]: `^${version}` } }
}

/** Where npm installs a package of programs; in the workspace that would keep contributors from other systems. */
const platformOf = (folder) =>
  folder === 'packages/engine/chromium-linux-x64' ? { os: ['linux'], cpu: ['x64'], libc: ['glibc'] } : {}

/** The words of the folder that say what the package is for, such as `encoder` and `mp4`. */
const keywordsOf = (folder) => [...new Set(['vid', 'video', 'html', 'render', ...posix.basename(folder).split('-')])]

/** The manifest to publish; `repository` (`owner/name`) is what npm compares the provenance of a package with. */
export const publishedManifest = (manifest, folder, repository) => ({
  ...manifest,
  keywords: keywordsOf(folder),
  publishConfig: { access: 'public' },
  exports: publishedEntry(manifest.exports),
  // Maps of types and of scripts point at the sources.
  files: [...manifest.files, NOTICES, 'src', '!src/**/*.test.ts', '!src/**/fixtures'],
  ...platformOf(folder),
  ...publishedDependencies(manifest, folder),
  ...(repository && {
    repository: { type: 'git', url: `git+https://github.com/${repository}.git`, directory: folder },
  }),
})

const pathsIn = (value) =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap((inner) => pathsIn(inner))

const conditionsIn = (value) =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [name, ...conditionsIn(inner)])
    : []

/** What is wrong with a packed package, given its manifest, the names of its files and its notices, if it needs any: sentences. */
export const packedProblems = (manifest, files, notices) => {
  const { exports, bin, main, types, dependencies, peerDependencies, optionalDependencies } = manifest
  const named = pathsIn([exports, bin, main, types].filter((value) => value !== undefined))
  const missing = named.filter((path) => !files.includes(path.replace(/^\.\//, '')))
  const needed = Object.entries({ ...dependencies, ...peerDependencies, ...optionalDependencies })
  return [
    ...missing.map((path) => `package.json names ${path}, which is not packed`),
    ...(conditionsIn(exports).includes('development') ? ['exports still has a development condition'] : []),
    ...needed
      .filter(([, range]) => /^(?:workspace|file|link|portal):/.test(range))
      .map(([name, range]) => `${name} is needed as ${range}, which only this repository can resolve`),
    ...(files.some((file) => /^licen[cs]e(?:\.|$)/i.test(file)) ? [] : ['it has no licence file']),
    ...(notices !== undefined && !files.includes(NOTICES)
      ? [`it carries works of others and has no ${NOTICES}: run npm run build`]
      : []),
    ...files
      .filter((file) =>
        /^(?!dist\/templates\/).*\.test\.(?:ts|js|d\.ts)$|^src\/(?:.*\/)?fixtures\/|^lab\/|\.tsbuildinfo$/.test(file),
      )
      .map((file) => `${file} is packed, which is of no use to others`),
  ]
}

/** Maps whose sources are not packed, given what is in each map; libraries that are packed in have no sources here. */
export const mapProblems = (maps, files) =>
  maps.flatMap(([file, map]) =>
    JSON.parse(map)
      .sources.map((source) => posix.join(posix.dirname(file), source))
      .filter((source) => !source.startsWith('..') && !files.includes(source))
      .map((source) => `${file} points at ${source}, which is not packed`),
  )
