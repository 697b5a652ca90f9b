// Rules about packages that neither the compiler nor the linter knows.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { satisfies } from 'semver'
import { path, workspaces } from './workspaces.mjs'

const all = workspaces()
const groupOf = new Map(all.map(({ folder, manifest }) => [manifest.name, folder.split('/')[0]]))
const problems = []

/** Libraries that the types in `file` name, and those in the files that it imports. */
const namedByTypes = (file, seen = new Set()) => {
  if (seen.has(file) || !existsSync(file)) return []
  seen.add(file)
  const imported = readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\()["']([^"']+)["']/g)
  return [...imported].flatMap(([, name]) => {
    if (name.startsWith('.')) return namedByTypes(join(dirname(file), name.replace(/\.[jt]s$/, '.d.ts')), seen)
    return name.startsWith('node:') ? [] : [/^(?:@[^/]+\/)?[^/]+/.exec(name)[0]]
  })
}

/** The files that each package publishes, by its name. One call for all: npm itself takes as long as the rest. */
const packed = () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--workspaces']
  const options = { cwd: path('.'), encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] }
  return new Map(JSON.parse(execFileSync('npm', args, options)).map(({ name, files }) => [name, files]))
}
const published = packed()

/** What publint says of the files that are published: `data` is read only of those that it looks into. */
const lintPublished = ({ folder, manifest }) => {
  const files = published.get(manifest.name).map((file) => ({
    name: `package/${file.path}`,
    get data() {
      return readFileSync(path(`${folder}/${file.path}`))
    },
  }))
  return publint({ pkgDir: 'package', pack: { files }, level: 'warning', strict: true })
}

for (const { folder, manifest } of all) {
  const report = (problem) => problems.push(`${folder}: ${problem}`)
  const [group] = folder.split('/')
  const local = Object.keys(manifest.dependencies ?? {}).filter((name) => groupOf.has(name))

  for (const name of local) {
    const other = groupOf.get(name)
    if (group === 'packages' && other === 'plugins') report(`packages know no plugin, it depends on ${name}`)
    if (group === 'plugins' && other !== 'packages') report(`plugins depend on packages only, not on ${name}`)
    // The front door for programs is the one package that brings presets: those that are used without a config file.
    if (group === 'packages' && other === 'presets' && folder !== 'packages/engine/render')
      report(`only packages/engine/render depends on a preset, not this (${name})`)
  }

  // Tests and `npm run dev` run from sources by this condition.
  for (const [name, entry] of Object.entries(manifest.exports)) {
    const source = entry.default.replace('./dist/', './src/').replace(/\.js$/, '.ts')
    if (entry.development !== source || Object.keys(entry)[0] !== 'development')
      report(`exports["${name}"] does not begin with "development": "${source}"`)
  }

  // What is packed in need not be installed, but a type that names it would mean nothing then.
  const installed = { ...manifest.dependencies, ...manifest.peerDependencies, [manifest.name]: true }
  const types = Object.values(manifest.exports).map((entry) => path(join(folder, entry.types)))
  for (const name of new Set(types.flatMap((file) => namedByTypes(file))))
    if (!Object.hasOwn(installed, name)) report(`its types name ${name}, which it does not depend on`)

  // Main files that pass `require` on are packed in without their parts, and without an error.
  const dist = path(`${folder}/dist`)
  for (const file of readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.js'))) {
    const [call] = /\brequire\d*\(["']\.[^"')]*["']\)/.exec(readFileSync(join(dist, file), 'utf8')) ?? []
    if (call) report(`dist/${file} asks for a file that is not packed in: ${call}`)
  }

  const references = JSON.parse(readFileSync(path(`${folder}/tsconfig.json`), 'utf8')).references ?? []
  const referenced = references.map(({ path: reference }) => path(`${folder}/${reference}`))
  for (const { folder: target, manifest: other } of all)
    if (local.includes(other.name) && !referenced.includes(path(target)))
      report(`tsconfig.json has no reference to ${target}, which it depends on`)

  const readme = path(`${folder}/README.md`)
  if (existsSync(readme) && readFileSync(readme, 'utf8').trimEnd().split('\n').length > 60)
    report('README.md has more than 60 lines')

  const { messages, pkg } = await lintPublished({ folder, manifest })
  // scripts/release.mjs removes the condition, which points at sources that are not published.
  for (const message of messages.filter(({ path: place }) => !place.includes('development')))
    report(formatMessage(message, pkg, { color: false }))
}

// npm warns of a library that asks for another Node, and other installers refuse it.
const locked = JSON.parse(readFileSync(path('package-lock.json'), 'utf8')).packages
const oldest = `${/\d+\.\d+/.exec(locked[''].engines.node)[0]}.0`
for (const [place, { dev, version, engines }] of Object.entries(locked))
  if (!dev && engines?.node !== undefined && !satisfies(oldest, engines.node))
    problems.push(`${place} ${version} needs Node ${engines.node}; vid runs on Node ${oldest}`)

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
