import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { main } from '@vid/cli'
import { onTestFinished } from 'vitest'

/** Absolute path inside this folder. */
export const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

const command = fileURLToPath(new URL('../../packages/engine/cli/bin/vid.js', import.meta.url))

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface StartOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** What the command reads on stdin; nothing if left out. */
  readonly input?: string
  /** Words before the command line, such as a program that starts it as another user. */
  readonly through?: readonly string[]
}

/** Starts the command as a user would; `done` settles when it has ended. The caller ends it. */
export const launch = (args: readonly string[], options: StartOptions = {}) => {
  const words = [...(options.through ?? []), process.execPath, command, ...args]
  const [program = '', ...rest] = words
  const child = spawn(program, rest, {
    cwd: options.cwd ?? here('.'),
    env: { ...process.env, ...options.env },
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(options.input)
  const text = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    text.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    text.stderr += chunk
  })
  const done = new Promise<Finished>((resolve) => child.on('close', (code) => resolve({ code, ...text })))
  return { child: child as ChildProcess & { pid: number }, text, done }
}

/** Starts the command as a user would, and ends it with the test. */
export const start = (args: readonly string[], options: StartOptions = {}) => {
  const run = launch(args, options)
  onTestFinished(() => {
    run.child.kill('SIGKILL')
  })
  return run
}

/** Runs the command to its end. */
export const vid = (args: readonly string[], options: StartOptions = {}): Promise<Finished> => start(args, options).done

interface InProcessOptions {
  readonly cwd?: string
  /** Only what the command line itself reads: libraries and programs have the environment of this process. */
  readonly env?: NodeJS.ProcessEnv
  /** What the command reads on stdin; nothing if left out. */
  readonly input?: string
}

/**
 * Runs a command line to its end in this process, which has loaded the program before: half of what a short render
 * costs is the start of the command. For tests of what is made, not of what the process of the command does.
 */
export const vidInProcess = async (args: readonly string[], options: InProcessOptions = {}): Promise<Finished> => {
  const text = { stdout: '', stderr: '' }
  const into = (name: keyof typeof text) =>
    new Writable({
      write(chunk, _, done) {
        text[name] += chunk
        done()
      },
    })
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const code = await main(args, {
    stdin: Readable.from(options.input === undefined ? [] : [options.input]),
    stdout: into('stdout'),
    stderr: into('stderr'),
    env: { ...process.env, ...options.env },
    cwd: options.cwd ?? here('.'),
    signal: stop.signal,
    unguarded: (run) => run(),
  })
  return { code, ...text }
}

/** A folder that is removed after the test. */
export const scratch = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-e2e-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The command line of a process of a browser. Those of ffmpeg may say "chroma". */
export const BROWSER = /headless_shell|chrom(e|ium)/

/** Processes below `pid`, from /proc: pid, parent's pid and command line. */
export const descendants = async (pid: number): Promise<{ pid: number; parent: number; command: string }[]> => {
  const entries = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = await Promise.all(
    entries.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
      const [, state, parent] = /\) (\S) (\d+)/.exec(stat) ?? []
      return { pid: Number(name), parent: Number(parent), state }
    }),
  )
  const below = (root: number): typeof processes =>
    processes.filter(({ parent }) => parent === root).flatMap((child) => [child, ...below(child.pid)])
  const running = below(pid).filter(({ state }) => state !== 'Z')
  return Promise.all(
    running.map(async ({ pid, parent }) => {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return { pid, parent, command: command.replaceAll('\0', ' ') }
    }),
  )
}

/** Waits until a command prints what a pattern describes, on either stream; fails if it ends without. */
export const printed = ({ child, text, done }: ReturnType<typeof start>, pattern: RegExp): Promise<RegExpExecArray> =>
  new Promise((resolve, reject) => {
    const look = () => {
      const match = pattern.exec(text.stdout) ?? pattern.exec(text.stderr)
      if (match) resolve(match)
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    look()
    void done.then(({ code, stdout, stderr }) =>
      reject(new Error(`the command ended with ${code} and has not printed ${pattern}\n${stdout}${stderr}`)),
    )
  })

/** Holds a command still while `work` looks at what it has started, or ends some of it: it cannot be done meanwhile. */
export const whileHeld = async <T>({ child }: ReturnType<typeof launch>, work: () => Promise<T>): Promise<T> => {
  child.kill('SIGSTOP')
  return work().finally(() => child.kill('SIGCONT'))
}

/** Milliseconds between two looks at what a test waits for: looking without a pause takes a processor from it. */
const LOOK_EVERY_MS = 10

/** The same where a look is a request to a server, which costs it some of what it needs for its own work. */
export const ASK_EVERY_MS = 150

/** Waits until `find` answers: for what tells nobody that it happens. `printed` waits for what a command prints. */
export const until = async <T>(
  find: () => Promise<T | undefined>,
  timeoutMs = 120_000,
  everyMs = LOOK_EVERY_MS,
): Promise<T> => {
  const end = performance.now() + timeoutMs
  for (;;) {
    const value = await find()
    if (value !== undefined) return value
    if (performance.now() > end) throw new Error('what the test waits for did not happen')
    await delay(everyMs)
  }
}
