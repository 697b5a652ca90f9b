// Runs inputs one after another in a process of its own, and looks after each at what it left.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { descendants, isAlive, kill, waitFor } from '../support/processes.mjs'
import { writeInput } from './input.mjs'
import { createSecret, listing, listingChanges } from './traces.mjs'

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url))
const LIMIT_MS = 120_000
/** How long a stopped render may take to end. */
const GRACE_MS = 30_000
const SETTLE_MS = 5_000
/** A renderer keeps no more for the next render. */
const MAX_IDLE_BROWSERS = 4

const isShared = (name) => name.startsWith('vid-profile-')

const environment = (folder, cache) => ({
  ...Object.fromEntries(
    ['PATH', 'VID_SANDBOX', 'LANG'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  ),
  HOME: join(folder, 'home'),
  TMPDIR: join(folder, 'tmp'),
  VID_CACHE_DIR: cache,
  VID_CACHE: 'off',
})

/** Errors about what vid and its plugins made themselves: no input may lead to them. */
const OWN = /^VID_(PLAN|PLUGIN|REQUEST|SETTINGS)_INVALID$|^VID_(HOOK_UNANSWERED|FRAMES_WRONG|OUTPUT_WRONG|UNEXPECTED)$/

/** Faults of one attempt, in words. */
const judge = (name, { error }) => {
  if (!error) return []
  if (error.code === null) return [`${name}: an error without a code: ${error.message}`]
  if (error.fault === 'machine') return [`${name}: ${error.code} blames the machine: ${error.message}`]
  return OWN.test(error.code) ? [`${name}: ${error.code} blames vid: ${error.message}`] : []
}

/** A lane with folders of its own; `close` ends its process and gives what that has left. */
export const openLane = async ({ folder, cache, secretBytes }) => {
  for (const name of ['home', 'tmp', 'cwd', 'x']) mkdirSync(join(folder, name), { recursive: true })
  const secretFile = join(folder, 'secret.mp4')
  const secret = createSecret(secretFile, secretBytes)
  const seen = new Map()
  let child
  let errors = ''

  const remember = () => {
    for (const entry of descendants(child.pid)) seen.set(`${entry.pid} ${entry.started}`, entry)
    return descendants(child.pid)
  }
  const start = async () => {
    errors = ''
    child = fork(WORKER, [join(folder, 'cwd')], {
      env: environment(folder, cache),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Ctrl+C ends the fuzz, which ends this process.
      detached: true,
    })
    child.stderr.on('data', (text) => {
      errors = `${errors}${text}`.slice(-4000)
    })
    await once(child, 'message')
  }
  const answer = (message, limitMs) =>
    new Promise((resolve) => {
      const timer = setTimeout(() => settle({ hung: true }), limitMs)
      const settle = (value) => {
        clearTimeout(timer)
        child.off('message', settle)
        child.off('exit', onExit)
        resolve(value)
      }
      const onExit = (code, signal) => settle({ crashed: `${signal ?? code}\n${errors}` })
      child.on('message', settle)
      child.on('exit', onExit)
      child.send(message, () => {})
    })
  const restart = async () => {
    const left = [child, ...remember()]
    for (const { pid } of left) kill(pid)
    rmSync(join(folder, 'tmp'), { recursive: true, force: true })
    mkdirSync(join(folder, 'tmp'))
    await start()
  }
  /** What lies outside the input's own folders, and processes of ffmpeg. */
  const leftovers = async () => {
    const idle = () => remember().filter(({ command }) => /ff(mpeg|probe)/.test(command.split(' ')[0]))
    await waitFor(() => idle().length === 0, SETTLE_MS)
    const browsers = () =>
      remember().filter(({ command }) => / --user-data-dir=/.test(command) && !command.includes(' --type='))
    await waitFor(() => browsers().length <= MAX_IDLE_BROWSERS, SETTLE_MS)
    const foreign = ['home', 'cwd', 'tmp'].flatMap((name) =>
      readdirSync(join(folder, name))
        .filter((entry) => !isShared(entry))
        .map((entry) => `left in ${name}: ${entry}`),
    )
    const beside = readdirSync(folder).filter(
      (name) => !['home', 'tmp', 'cwd', 'x', 'out', 'secret.mp4'].includes(name),
    )
    const read = secret.check()
    return [
      ...idle().map(({ command }) => `a process is left: ${command.slice(0, 300)}`),
      ...(browsers().length > MAX_IDLE_BROWSERS ? [`${browsers().length} browsers are kept`] : []),
      ...foreign,
      ...beside.map((name) => `left beside the project: ${name}`),
      ...(read ? [`the file outside the project ${read}`] : []),
    ]
  }

  await start()
  return {
    secretFile,
    seesReading: secret.isSeen,
    /** Renders an input; gives its outcome and findings. */
    async run(input) {
      const project = join(folder, 'x', 'project')
      const out = join(folder, 'out')
      for (const path of [project, out]) rmSync(path, { recursive: true, force: true })
      mkdirSync(project, { recursive: true })
      mkdirSync(out)
      await writeInput(project, input)
      const before = listing(project)
      secret.check()
      const { format, ...settings } = input.settings
      const output = join(out, format === 'png-sequence' ? 'frames' : `a.${format}`)
      const job = { projectDir: project, entry: input.entry, format, output, ...settings }
      const result = await answer({ settings: job, limitMs: LIMIT_MS }, LIMIT_MS + GRACE_MS)
      const findings = listingChanges(before, listing(project)).map((line) => `the project: ${line}`)
      if (result.crashed) findings.push(`the process ended: ${result.crashed}`)
      if (result.hung || result.timedOut) findings.push(`no end within ${LIMIT_MS / 1000} s`)
      if (result.rendered) findings.push(...judge('render', result.rendered), ...judge('lint', result.linted))
      const files = readdirSync(out)
      if (result.rendered?.error && files.length > 0)
        findings.push(`failed, and left ${files.join(', ')} at its output`)
      if (result.rendered && !result.rendered.error && files.length !== 1)
        findings.push(`made ${files.join(', ') || 'nothing'}`)
      if (result.crashed || result.hung) await restart()
      findings.push(...(await leftovers()))
      return { result, findings, project }
    },
    async close() {
      remember()
      const { pid } = child
      const result = await answer('close', 60_000)
      if (result !== 'closed') return [`the renderer did not close: ${JSON.stringify(result)}`]
      const alive = () => [...seen.values()].filter(isAlive)
      await waitFor(() => alive().length === 0, SETTLE_MS)
      const shared = readdirSync('/dev/shm').filter((name) => name.includes(`-${pid}-`))
      return [
        ...alive().map(({ command }) => `a process is left at the end: ${command.slice(0, 300)}`),
        ...[...readdirSync(join(folder, 'tmp')), ...shared].map((name) => `left at the end: ${name}`),
      ]
    },
  }
}
