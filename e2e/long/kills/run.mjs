// One run of the kill matrix: renders, kills one process at one stage, and checks the result.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { listing } from '../fuzz/traces.mjs'
import { startVid } from '../support/command.mjs'
import { descendants, isAlive, kill, waitFor } from '../support/processes.mjs'
import { isProgramStage, writePrograms } from './programs.mjs'

const STAGE_MS = 90_000
const RENDER_MS = 180_000
const SETTLE_MS = 10_000

const table = JSON.parse(readFileSync(new URL('stages.json', import.meta.url), 'utf8'))
const patterns = (texts) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, new RegExp(text)]))

/** What the output shows when a stage has begun, the log of the DevTools protocol in it. */
const LOGGED = patterns(table.stages)

const victimPatterns = patterns(table.victims)
const isVictim =
  (victim) =>
  ({ command }) =>
    victimPatterns[victim].test(command)

/** Starts the command, and ends it where it takes too long. */
const start = (args, env) => {
  const run = startVid(args, { env: { ...process.env, VID_CACHE: 'off', ...env } })
  const timer = setTimeout(() => run.child.kill('SIGKILL'), RENDER_MS)
  void run.done.then(() => clearTimeout(timer))
  return run
}

export const outputName = (format) => (format === 'png-sequence' ? 'frames' : `a.${format}`)

/** Renders to the end; throws when that fails. */
export const renderWhole = async (args, env) => {
  const run = start(args, env)
  const { code } = await run.done
  if (code !== 0) throw new Error(`a render that nothing disturbs ended with ${code}\n${run.text.slice(-2000)}`)
}

const argsOf = (project, output, { format, workers }) => [
  'render',
  project,
  '--format',
  format,
  '--workers',
  String(workers),
  '-o',
  output,
  '--json',
]

/** Waits for the stage, and kills; gives the killed command line, or undefined when it was over before. */
const strike = async (run, { stage, victim }, { mark, folder }) => {
  const over = () => run.isOver
  if (stage === 'deliver') {
    const seen = await waitFor(() => over() || readdirSync(folder).some((name) => name.endsWith('.new')), STAGE_MS)
    if (!seen || over()) return undefined
    kill(run.child.pid)
    return 'vid'
  }
  if (isProgramStage(stage)) {
    await waitFor(() => over() || existsSync(mark), STAGE_MS)
    if (over() || !existsSync(mark)) return undefined
    const pid = Number(readFileSync(mark, 'utf8'))
    if (victim === 'program') {
      kill(pid)
      return stage
    }
    kill(run.child.pid)
    await run.done
    // As if it had run on: it finds its pipes closed.
    process.kill(pid, 'SIGCONT')
    return 'vid'
  }
  await waitFor(() => over() || LOGGED[stage].test(run.text), STAGE_MS)
  if (over()) return undefined
  if (victim === 'command') {
    // At the launch there must be something to leave behind.
    await waitFor(() => over() || descendants(run.child.pid).some(isVictim('browser')), STAGE_MS)
    kill(run.child.pid)
    return 'vid'
  }
  const victims = await waitFor(() => {
    const victims = descendants(run.child.pid).filter(isVictim(victim))
    return over() || (victims.length > 0 && victims)
  }, STAGE_MS)
  if (!Array.isArray(victims)) return undefined
  for (const { pid } of victims) kill(pid)
  return victim
}

/** The last error that the command reports as an event. */
const errorOf = (text) => {
  const line = text.split('\n').findLast((row) => row.includes('"type":"render-error"'))
  return line && JSON.parse(line).error
}

const bytesOf = (path) =>
  statSync(path).isFile()
    ? readFileSync(path, 'base64')
    : listing(path)
        .map((line) => line.slice(path.length))
        .join()
const isSame = (one, other) => existsSync(one) && bytesOf(one) === bytesOf(other)

const sharedMemory = () => readdirSync('/dev/shm')

/** Runs one case in a folder of its own; gives a word for the outcome and what is wrong with it. */
export const runCase = async (scenario, { work, project, former, reference, tools }) => {
  const base = join(work, `run-${scenario.number}`)
  const temp = join(base, 'tmp')
  const out = join(base, 'out')
  for (const folder of [temp, out]) mkdirSync(folder, { recursive: true })
  const output = join(out, outputName(scenario.format))
  if (scenario.hasFormer) cpSync(former, output, { recursive: true })
  const programs = writePrograms(join(base, 'programs'), scenario.stage, tools)
  const env = { TMPDIR: temp, ...programs.env, ...(LOGGED[scenario.stage] && { VID_DEBUG: 'cdp' }) }
  const before = sharedMemory()
  const seen = new Map()
  const run = start(argsOf(project, output, scenario), env)
  const watching = setInterval(() => {
    for (const child of descendants(run.child.pid)) seen.set(`${child.pid} ${child.started}`, child)
  }, 200)
  const killed = await strike(run, scenario, { mark: programs.mark, folder: out })
  const { code } = await run.done
  clearInterval(watching)
  const wrong = []
  if (killed === undefined) wrong.push(`nothing could be killed: exit code ${code}\n${run.text.slice(-1500)}`)
  const left = () => [...seen.values()].filter(isAlive)
  await waitFor(() => left().length === 0, SETTLE_MS)
  wrong.push(...left().map(({ command }) => `a process is left: ${command.slice(0, 200)}`))

  const isWhole = isSame(output, reference)
  const isFormer = scenario.hasFormer ? isSame(output, former) : !existsSync(output)
  let outcome
  if (scenario.victim === 'command') {
    outcome = isWhole ? 'delivered before' : scenario.hasFormer ? 'former result stays' : 'nothing there'
    if (!isWhole && !isFormer) wrong.push('a part of a result, or no longer the former one, is at the output')
  } else if (code === 0) {
    outcome = 'same bytes'
    if (!isWhole) wrong.push('the output has other bytes')
  } else {
    const error = errorOf(run.text)
    outcome = `${error?.code ?? 'no code'}, exit code ${code}`
    if (!error?.code?.startsWith('VID_')) wrong.push(`no coded error:\n${run.text.slice(-1500)}`)
    if (!isFormer) wrong.push('failed, and something is at the output')
  }
  const next = join(out, 'next.gif')
  const folders = () => [...readdirSync(temp), ...sharedMemory().filter((name) => !before.includes(name))]
  const remains = folders()
  if (scenario.victim !== 'command' && remains.length > 0)
    wrong.push(`left by a command that ended: ${remains.join(', ')}`)
  await renderWhole(argsOf(project, next, { format: 'gif', workers: 1 }), {
    TMPDIR: temp,
    ...programs.env,
  }).catch(({ message }) => wrong.push(`the next command failed: ${message}`))
  const expected = [...(existsSync(output) ? [outputName(scenario.format)] : []), 'next.gif']
  const beside = readdirSync(out).filter((name) => !expected.includes(name))
  wrong.push(...[...folders(), ...beside].map((name) => `left after the next command: ${name}`))
  for (const name of sharedMemory().filter((other) => !before.includes(other)))
    rmSync(join('/dev/shm', name), { recursive: true, force: true })
  return { outcome, remains: scenario.victim === 'command' ? remains.length : 0, wrong, text: run.text }
}
