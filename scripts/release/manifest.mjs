// A package's manifest as it is published. npm packs package.json as it lies there: it does not apply publishConfig.exports.

/** Conditions of an entry without the one that points at sources, which are not published. */
const publishedEntry = (entry) =>
  typeof entry === 'object' && entry !== null
    ? Object.fromEntries(
        Object.entries(entry)
          .filter(([condition]) => condition !== 'development')
          .map(([condition, value]) => [condition, publishedEntry(value)]),
      )
    : entry

/** The manifest to publish; `repository` (`owner/name`) is what npm compares the provenance of a package with. */
export const publishedManifest = (manifest, folder, repository) => ({
  ...manifest,
  exports: publishedEntry(manifest.exports),
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

/** What is wrong with a packed package, given its manifest and the names of its files: sentences. */
export const packedProblems = (manifest, files) => {
  const { exports, bin, main, types, dependencies, peerDependencies, optionalDependencies } = manifest
  const named = pathsIn([exports, bin, main, types].filter((each) => each !== undefined))
  const missing = named.filter((path) => !files.includes(path.replace(/^\.\//, '')))
  const needed = Object.entries({ ...dependencies, ...peerDependencies, ...optionalDependencies })
  return [
    ...missing.map((path) => `package.json names ${path}, which is not packed`),
    ...(conditionsIn(exports).includes('development') ? ['exports still has a development condition'] : []),
    ...needed
      .filter(([, range]) => /^(?:workspace|file|link|portal):/.test(range))
      .map(([name, range]) => `${name} is needed as ${range}, which only this repository can resolve`),
    ...(files.some((file) => /^licen[cs]e(?:\.|$)/i.test(file)) ? [] : ['it has no licence file']),
    ...files
      .filter((file) => /^src\/|\.test\.(?:js|d\.ts)|\.tsbuildinfo$/.test(file))
      .map((file) => `${file} is packed, which is of no use to others`),
  ]
}
