// Fails on a licence that nobody has agreed to: of what our packages are installed with, and of what is bundled into them.
import { readFileSync } from 'node:fs'
import { reachable } from './container/lockfile.mjs'
import { EXCEPTIONS, isAllowed } from './notices/allowed.mjs'
import { bundledLibraries } from './notices/bundled.mjs'
import { path, workspaces } from './workspaces.mjs'

const { packages } = JSON.parse(readFileSync(path('package-lock.json'), 'utf8'))
const published = workspaces().filter(({ manifest }) => !manifest.private)
const ours = new Map(published.map(({ folder, manifest }) => [folder, manifest]))

const installed = reachable(packages, [...ours.keys()], (key) => ours.get(key) ?? packages[key])
const bundled = published.flatMap(({ folder }) => bundledLibraries(folder))
const nameOf = (key) => key.replace(/^.*node_modules\//, '')

const used = new Set()
for (const key of new Set([...installed.keys(), ...bundled])) {
  if (!key.includes('node_modules/')) continue
  const name = nameOf(key)
  const { version, license = 'no licence' } = packages[key]
  if (isAllowed(license)) continue
  const exception = EXCEPTIONS.find(({ names }) => names.test(name))
  if (exception?.licenses.includes(license)) {
    used.add(exception)
    continue
  }
  console.error(`${name} ${version} is under "${license}", which is not in scripts/notices/allowed.mjs`)
  process.exitCode = 1
}
for (const { names } of EXCEPTIONS.filter((exception) => !used.has(exception))) {
  console.error(`no package needs the exception ${names} of scripts/notices/allowed.mjs: remove it`)
  process.exitCode = 1
}
