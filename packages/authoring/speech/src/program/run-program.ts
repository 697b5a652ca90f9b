import type { ChildProcess } from 'node:child_process'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { describeCause, printable } from '@vid/protocol'
import { afterServed, childEnvironment, spawnGroup } from '@vid/system'
import { fail } from '../errors.ts'

const MAX_STDERR = 16_000
const MAX_REASON = 600

/** A command to run in the current folder. */
export interface ProgramRun {
  /** The program and its arguments; there is no shell. */
  readonly words: readonly string[]
  /** What it reads from its standard input. */
  readonly input: string
  /** Names of variables that it gets besides those that programs need to start. */
  readonly environment: readonly string[]
  /** Of served time. */
  readonly timeoutMs: number
  /** The most that it may print. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

const variablesOf = (names: readonly string[]): Record<string, string> => ({
  ...childEnvironment(),
  ...Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  ),
})

/** The last lines of what a program wrote, as one line without the values of variables that were passed on to it. */
const lastWords = (text: string, names: readonly string[]): string => {
  const secrets = names.flatMap((name) => process.env[name] || [])
  const clean = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
  return printable(
    clean
      .trim()
      .split(/(?<!\s)\s*[\r\n]\s*/)
      .slice(-5)
      .join(' | '),
  ).slice(-MAX_REASON)
}

/** What a program prints, up to a limit; `onLarge` is called where it is passed. */
const collect = (stdout: Readable, maxBytes: number, onLarge: () => void): (() => Buffer) => {
  const chunks: Buffer[] = []
  let bytes = 0
  stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) onLarge()
    else chunks.push(chunk)
  })
  return () => Buffer.concat(chunks)
}

const ended = (child: ChildProcess): Promise<{ code: number | null; killedBy: NodeJS.Signals | null }> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, killedBy) => resolve({ code, killedBy }))
  })

/** Runs a command to its end and resolves to what it printed; it is killed with all that it started when that fails. */
export const runProgram = async (run: ProgramRun): Promise<string> => {
  const { words, input, environment, timeoutMs, maxBytes, signal } = run
  const [path = '', ...args] = words
  const program = basename(path)
  const watch = new AbortController()
  const stop = AbortSignal.any([signal, watch.signal])
  const cancel = afterServed(timeoutMs, () => watch.abort(fail('VID_SPEECH_PROGRAM_TIMEOUT', { program, timeoutMs })))
  try {
    const env = variablesOf(environment)
    const child = spawnGroup(path, args, { env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true }, stop)
    const end = ended(child)
    const onLarge = () => watch.abort(fail('VID_SPEECH_PROGRAM_LARGE', { program, maxBytes }))
    const output = child.stdout ? collect(child.stdout, maxBytes, onLarge) : () => Buffer.alloc(0)
    let stderr = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_STDERR)
    })
    // A program that does not read its input closes it.
    child.stdin?.on('error', () => {}).end(input)
    const { code, killedBy } = await end.catch((cause: unknown) => {
      throw fail('VID_SPEECH_PROGRAM_START', { program, reason: describeCause(cause) }, { cause })
    })
    stop.throwIfAborted()
    if (code === 0) return output().toString('utf8')
    const outcome = killedBy ? `was killed by ${killedBy}` : `exited with code ${code}`
    throw fail('VID_SPEECH_PROGRAM_FAILED', { program, outcome, stderr: lastWords(stderr, environment) })
  } finally {
    cancel()
  }
}
