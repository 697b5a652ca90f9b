// Uses vid for the first time, outside of this repository: by what the README and the start page say, in a fresh clone; and
// as they will say once vid is published, from a registry on the loopback. In folders with spaces, as root and as another
// user, on two versions of Node.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { path } from '../../scripts/workspaces.mjs'
import { nodeFromNpm } from './doctor/node-from-npm.mjs'
import { freshClone } from './first-use/clone.mjs'
import { makeNewcomer } from './first-use/newcomer.mjs'
import { serveRegistry } from './first-use/registry.mjs'
import { imported, pluginPage, readme, shortWay, startPage, templates } from './first-use/steps.mjs'
import { tryStep } from './first-use/try-step.mjs'

const { values: flags } = parseArgs({
  options: { only: { type: 'string', default: '' }, pictures: { type: 'string' }, help: { type: 'boolean' } },
})
if (flags.help) {
  console.log(`npm run lab -- first-use-check [--only PATTERN] [--pictures FOLDER]

Takes half an hour, from a fresh clone alone a quarter (--only clone); needs root, and packages of others from npm. --only those users whose names fit a pattern; --pictures
keeps what the preview shows.`)
  process.exit()
}

const NOBODY = 65534
const work = mkdtempSync(join(tmpdir(), 'vid first use '))
chmodSync(work, 0o755)
const pictures = flags.pictures ?? join(work, 'pictures')
mkdirSync(pictures, { recursive: true })

let problems = 0
const tryAndSay = async (newcomer, step) => {
  const started = performance.now()
  const wrong = await tryStep(newcomer, step, join(pictures, `${newcomer.name}.png`))
  problems += wrong.length
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${wrong.length === 0 ? 'ok  ' : 'FAIL'} ${seconds.padStart(6)} s  ${step.folder} $ ${step.line}`)
  for (const problem of wrong) console.log(`     ${problem.replaceAll('\n', '\n     ')}`)
}

/** A folder with a program `node`. */
const nodeFolder = (name, program) => {
  const folder = join(work, name)
  mkdirSync(folder)
  symlinkSync(program, join(folder, 'node'))
  return folder
}

const templateNames = () => {
  const words = [path('packages/engine/cli/bin/vid.js'), 'init', '--list', '--json']
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' })).templates.map(({ name }) => name)
}

/** The whole README in a fresh clone, and what the start page adds to it. */
const fromClone = () => {
  const steps = readme()
  const done = new Set(steps.flatMap(({ line }) => line.split(' && ')))
  return [...steps, ...startPage().filter(({ line }) => !done.has(line)), ...pluginPage()]
}

const fromRegistry = (projects) => [
  ...shortWay,
  ...startPage('registry'),
  ...imported(projects),
  ...templates(templateNames()),
]

let registry
try {
  const current = `Node ${process.versions.node}`
  const nodes = { current: nodeFolder('node current', process.execPath) }
  const newest = () => (nodes.newest ??= nodeFolder('node newest', nodeFromNpm(24, join(work, 'node 24'))))
  const cases = [
    { name: 'nobody from a fresh clone', uid: NOBODY, node: () => nodes.current, isClone: true, steps: fromClone },
    { name: `nobody on ${current}`, uid: NOBODY, node: () => nodes.current, steps: fromRegistry },
    { name: `root on ${current}`, uid: 0, node: () => nodes.current, steps: () => shortWay },
    { name: 'nobody on Node 24', uid: NOBODY, node: newest, steps: () => shortWay },
    { name: 'root on Node 24', uid: 0, node: newest, steps: () => shortWay },
  ]
  for (const { name, uid, node, isClone, steps } of cases.filter(({ name }) => name.includes(flags.only))) {
    console.log(`${name}:`)
    if (!isClone) registry ??= await serveRegistry(work)
    const newcomer = makeNewcomer(work, { name, uid, node: node(), registry: isClone ? undefined : registry.url })
    const { projects } = newcomer
    if (isClone) freshClone(projects, uid)
    const all = steps(projects)
    // Folders that a step made beforehand belong to the user, too.
    execFileSync('chown', ['-R', `${uid}:${uid}`, projects])
    for (const step of all) await tryAndSay(newcomer, step)
  }
} finally {
  registry?.close()
  rmSync(work, { recursive: true, force: true })
}
console.log(problems === 0 ? 'nothing to stumble over' : `${problems} to look at`)
if (problems > 0) process.exitCode = 1
