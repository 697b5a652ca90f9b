// Packs vid as a release does, and uses it for the first time outside of this repository: by what the README and the start
// page say, from a registry on the loopback, in folders with spaces, as root and as another user, on two versions of Node.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { nodeFromNpm } from './doctor/node-from-npm.mjs'
import { leftBy, makeNewcomer, startLine } from './first-use/newcomer.mjs'
import { tryPreview } from './first-use/preview.mjs'
import { serveRegistry } from './first-use/registry.mjs'
import { imported, missingOf, readme, shortWay, startPage, templates } from './first-use/steps.mjs'
import { path } from './workspaces.mjs'

const { values: flags } = parseArgs({
  options: { only: { type: 'string', default: '' }, pictures: { type: 'string' }, help: { type: 'boolean' } },
})
if (flags.help) {
  console.log(`npm run lab -- first-use-check [--only PATTERN] [--pictures FOLDER]

Takes half an hour; needs root, and packages of others from npm. --only those users whose names fit a pattern; --pictures
keeps what the preview shows.`)
  process.exit()
}

const NOBODY = 65534
const work = mkdtempSync(join(tmpdir(), 'vid first use '))
chmodSync(work, 0o755)
const pictures = flags.pictures ?? join(work, 'pictures')
mkdirSync(pictures, { recursive: true })

/** What confuses somebody who reads it, however well the command has ended. */
const STUMBLES = /^.*(?:npm (?:warn|error)|error VID_|warning VID_|^\s+at |Usage Error|deprecated).*$/gm

let problems = 0
const tryStep = async (newcomer, step) => {
  const { films, name } = newcomer
  const { folder, line, says = '', expects } = step
  const started = performance.now()
  const isPreview = /\bpreview\b/.test(line)
  const picture = join(pictures, `${name}.png`)
  const { code, text, ...more } = isPreview
    ? await tryPreview(newcomer, join(films, folder), line, picture)
    : await startLine(newcomer, join(films, folder), line).done
  const wrong = [
    ...(code === 0 ? [] : [`exit code ${code}`, text]),
    ...(text.match(STUMBLES) ?? []).filter((stumble) => !expects || !stumble.startsWith(expects)),
    ...(text.includes(says) ? [] : [`it does not say "${says}"`, text]),
    ...missingOf(step, films).map((file) => `it does not make ${file}`),
    ...(more.problems ?? []),
    ...leftBy(newcomer).map((file) => `left: ${file}`),
  ]
  problems += wrong.length
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${wrong.length === 0 ? 'ok  ' : 'FAIL'} ${seconds.padStart(6)} s  ${folder} $ ${line}`)
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
  const words = [path('packages/cli/bin/vid.js'), 'init', '--list', '--json']
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' })).templates.map(({ name }) => name)
}

const everything = (films) => [
  ...shortWay,
  ...startPage(),
  ...readme(films),
  ...imported(films),
  ...templates(templateNames()),
]

const registry = await serveRegistry(work)
try {
  const current = `Node ${process.versions.node}`
  const nodes = { current: nodeFolder('node current', process.execPath) }
  const newest = () => (nodes.newest ??= nodeFolder('node newest', nodeFromNpm(24, join(work, 'node 24'))))
  const cases = [
    { name: `nobody on ${current}`, uid: NOBODY, node: () => nodes.current, steps: everything },
    { name: `root on ${current}`, uid: 0, node: () => nodes.current, steps: () => shortWay },
    {
      name: 'nobody on Node 24',
      uid: NOBODY,
      node: newest,
      steps: (films) => [...shortWay, ...readme(films)],
    },
    { name: 'root on Node 24', uid: 0, node: newest, steps: () => shortWay },
  ]
  for (const { name, uid, node, steps } of cases.filter(({ name }) => name.includes(flags.only))) {
    console.log(`${name}:`)
    const newcomer = makeNewcomer(work, { name, uid, node: node(), registry: registry.url })
    const { films } = newcomer
    const all = steps(films)
    // Folders that a step made beforehand belong to the user, too.
    execFileSync('chown', ['-R', `${uid}:${uid}`, films])
    for (const step of all) await tryStep(newcomer, step)
  }
} finally {
  registry.close()
  rmSync(work, { recursive: true, force: true })
}
console.log(problems === 0 ? 'nothing to stumble over' : `${problems} to look at`)
if (problems > 0) process.exitCode = 1
