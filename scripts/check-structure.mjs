// Rules about how sources are laid out, which neither the compiler nor the linter knows; scripts/structure/rules.mjs has them.
// With --shrink, what is mended leaves the list of exceptions, and what has become smaller has its new size there.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { chances } from './structure/chance.mjs'
import {
  circles,
  crowdedFolders,
  exceptIn,
  exceptSizes,
  foreignImports,
  longFunctions,
  looseCodes,
  machinePaths,
  risingImports,
  roomCircles,
  unnamedRooms,
} from './structure/rules.mjs'
import { readTree } from './structure/tree.mjs'
import { vagueNames } from './structure/value-names.mjs'
import { path, workspaces } from './workspaces.mjs'

/** Packages that must load in a browser too, with the libraries that they may import. */
const ANYWHERE = { 'packages/base/protocol': ['typebox'] }

/** What broke the rules when they were made: the lists only shrink. */
const EXCEPTIONS = path('scripts/structure/exceptions.json')
const exceptions = JSON.parse(readFileSync(EXCEPTIONS, 'utf8'))

const trees = workspaces().map(({ folder, manifest: { name } }) => {
  const sources = readTree(path(`${folder}/src`))
  const tree = new Map([...sources].map(([name, text]) => [`${folder}/src/${name}`, text]))
  return { folder, name, sources, tree }
})

/** The problems of all packages by a rule that has exceptions. */
const problemsExcept = (rule, problemsOf) => exceptIn(trees.flatMap(problemsOf), exceptions[rule])

const roomProblems = ({ folder, sources }) =>
  roomCircles(sources).map(({ key, text }) => ({ key: `${folder}: ${key}`, text: `${folder}: ${text}` }))

/** Where each package of a district stands, and how high: authoring and services do not know each other. */
const districts = new Map(
  workspaces()
    .filter(({ folder }) => folder.startsWith('packages/'))
    .map(({ folder, manifest }) => [manifest.name, folder.split('/')[1]]),
)
const HEIGHTS = { base: 0, engine: 1, authoring: 2, services: 2 }

const risingProblems = ({ name, tree }) => (districts.has(name) ? risingImports(tree, name, districts, HEIGHTS) : [])

const architecture = readFileSync(path('docs/architecture.md'), 'utf8')

const problemsOf = ({ folder, tree, sources }) => {
  const allowed = ANYWHERE[folder]
  return [
    ...circles(tree),
    ...looseCodes(tree),
    ...(allowed ? foreignImports(tree, allowed) : []),
    ...(folder.startsWith('packages/') ? unnamedRooms(architecture, folder, sources) : []),
  ]
}

/** Texts of the files that the repository keeps, without the lock file and what is not text. */
const keptTexts = () => {
  const names = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: path(''),
    encoding: 'utf8',
  })
  return names
    .split('\n')
    .filter((name) => /\.(?:[cm]?[jt]s|json|md|ya?ml|html|css|sh)$/.test(name) && name !== 'package-lock.json')
    .flatMap((name) => {
      try {
        return [[name, readFileSync(path(name), 'utf8')]]
      } catch {
        // Removed, and not yet committed.
        return []
      }
    })
}

const texts = keptTexts()
const vague = vagueNames(texts)
const isVague = (file) => vague.some(({ key }) => key === file)

const long = trees.flatMap(({ tree }) => longFunctions(tree))

if (process.argv.includes('--shrink')) {
  const sizes = Object.fromEntries(long.map(({ key, size }) => [key, size]))
  exceptions.functions = Object.fromEntries(
    Object.entries(exceptions.functions).flatMap(([key, size]) =>
      key in sizes ? [[key, Math.min(size, sizes[key])]] : [],
    ),
  )
  exceptions.names = exceptions.names.filter(isVague)
  writeFileSync(EXCEPTIONS, `${JSON.stringify(exceptions, null, 2)}\n`)
}

const problems = [
  ...trees.flatMap(problemsOf),
  ...problemsExcept('rooms', roomProblems),
  ...problemsExcept('districts', risingProblems),
  ...problemsExcept('folders', ({ tree }) => crowdedFolders(tree)),
  ...exceptSizes(long, exceptions.functions),
  ...exceptIn(vague, exceptions.names.filter(isVague)),
  ...machinePaths(texts),
  ...exceptIn(chances(texts.filter(([file]) => /\.[cm]?[jt]s$/.test(file))), exceptions.chances),
]
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
