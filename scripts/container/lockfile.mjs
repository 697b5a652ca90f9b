// The part of the workspace's lockfile that the image installs: exactly the versions that are tested here.

const isWorkspace = (key) => key !== '' && !key.split('/').includes('node_modules')

/** The key of what `name` means to the package at `key`: looked for as Node does, upwards from it. */
const resolveKey = (packages, key, name) => {
  for (let place = key; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/')))) {
    const candidate = place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`
    const entry = packages[candidate]
    if (entry) return entry.link ? entry.resolved : candidate
    if (place === '') return undefined
  }
}

/** Everything that is installed for these keys, with what of it may be missing. */
export const reachable = (packages, starts, manifestOf) => {
  const seen = new Map()
  const visit = (key, isOptional) => {
    if (seen.has(key) && (isOptional || !seen.get(key))) return
    seen.set(key, isOptional)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = manifestOf(key)
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      // npm installs no optional peer for a package; whoever depends on it brings it.
      if (dependencies?.[name] === undefined && peerDependenciesMeta[name]?.optional) continue
      const target = resolveKey(packages, key, name)
      const mayMiss = optionalDependencies?.[name] !== undefined
      if (target !== undefined) visit(target, isOptional || mayMiss)
      else if (!mayMiss) throw new Error(`${key} needs ${name}, which the lockfile does not have`)
    }
    for (const name of Object.keys(optionalDependencies ?? {})) {
      const target = resolveKey(packages, key, name)
      if (target !== undefined) visit(target, true)
    }
  }
  for (const key of starts) visit(key, false)
  return seen
}

/**
 * Makes the lockfile of the image from that of the workspace. `ours` says of each workspace folder the name, published
 * manifest and place (`resolved`, `integrity`) of its package; `extra` are further packages, by name.
 */
export const imageLockfile = ({ lockfile, starts, ours, extra, root }) => {
  const { packages } = lockfile
  const seen = reachable(packages, starts, (key) => ours.get(key)?.manifest ?? packages[key])
  const folders = [...seen.keys()].filter(isWorkspace)
  const placed = (key) => {
    const folder = folders.find((candidate) => key === candidate || key.startsWith(`${candidate}/`))
    return folder === undefined ? key : `node_modules/${ours.get(folder).manifest.name}${key.slice(folder.length)}`
  }
  const entries = [...seen].map(([key, isOptional]) => {
    const workspace = ours.get(key)
    const { dev: _dev, devOptional: _devOptional, optional: _optional, peer: _peer, ...entry } = packages[key]
    if (!workspace) return [placed(key), { ...entry, ...(isOptional && { optional: true }) }]
    const { version, bin, dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      workspace.manifest
    const { os, cpu, libc, engines } = workspace.manifest
    const facts = {
      version,
      ...workspace.place,
      bin,
      dependencies,
      optionalDependencies,
      peerDependencies,
      peerDependenciesMeta,
      os,
      cpu,
      libc,
      engines,
    }
    return [placed(key), { ...facts, ...(isOptional && { optional: true }) }]
  })
  const sorted = [...entries, ...Object.entries(extra).map(([name, entry]) => [`node_modules/${name}`, entry])].sort(
    ([one], [other]) => (one < other ? -1 : 1),
  )
  return {
    name: root.name,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, ...Object.fromEntries(sorted) },
  }
}
