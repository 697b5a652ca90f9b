import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { basename } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { childEnvironment, debugLog } from '@vid/system'
import { fail } from '../errors.ts'

const STDERR_TAIL_CHARACTERS = 2000

/** A running ffmpeg or ffprobe. Its stdout must be read, resumed or destroyed. */
export interface MediaProcess {
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  /** Settles when the process has exited and its pipes are closed; rejects when it failed or was aborted. */
  readonly finished: Promise<void>
  /** Like `finished`, but also rejects when ffmpeg reported errors and exited with 0, as it does on a full disk. */
  succeeded(): Promise<void>
  /** The last lines of stderr so far. */
  stderr(): string
  /** The end of stderr so far, as it was printed. */
  printed(): string
  /** Like `stderr`; undefined while no error was reported. */
  reported(): string | undefined
  /** Kills the process; await `finished` to know that it has exited. */
  kill(): void
}

/** Options that make ffmpeg print errors only, each with its level. */
export const QUIET: readonly string[] = ['-hide_banner', '-nostats', '-v', 'level+error']

/** Ends of messages with which ffmpeg says that it could not read or write, and not that a file is wrong. */
const LACKS =
  /: (?:No space left on device|Disk quota exceeded|File too large|Read-only file system|Permission denied|No such file or directory|Too many open files(?: in system)?|Cannot allocate memory|Resource temporarily unavailable)\b/

/** Signals that a fault of ffmpeg's own raises, as a broken source may; any other comes from outside. */
const CRASHES: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGABRT', 'SIGFPE', 'SIGILL', 'SIGTRAP'])

/** Code with which ffmpeg exits when a signal stops it. */
const STOPPED = 255

const REPORTED = /\[(error|fatal|panic)\] /

/**
 * A static build that converts character sets, as for names in a transport stream, loads the system's converters and
 * crashes in them: it is pointed at a folder without any.
 */
const withoutConverters = (): NodeJS.ProcessEnv => ({ ...childEnvironment(), GCONV_PATH: '/nonexistent' })

/** The last lines of `text` joined to one, without ffmpeg's log levels and addresses. */
const tailOf = (text: string) =>
  text
    .trim()
    .split(/\s*[\r\n]+\s*/)
    .slice(-12)
    .map((line) => line.replace(/ @ 0x[0-9a-f]+\]/g, ']').replace(REPORTED, ''))
    .join(' | ')
    .slice(-STDERR_TAIL_CHARACTERS)

/** A command line that a POSIX shell takes as it is printed. */
const commandLine = (program: string, args: readonly string[]) =>
  [program, ...args]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')

/** Words to put before a program's command line. */
export interface Launch {
  readonly words: readonly string[]
  /** A filter of system calls for the file descriptor 3. */
  readonly filter?: Uint8Array
}

/** How a process is started. */
export interface StartOptions {
  /** Words that start it in a sandbox. */
  readonly launch?: Launch
}

/** Starts the program, after the words of a sandbox where there are some. */
const spawnPiped = (program: string, args: readonly string[], { words, filter }: Launch) => {
  const [command = program, ...rest] = [...words, program, ...args]
  const env = withoutConverters()
  const child = spawn(command, rest, {
    stdio: ['pipe', 'pipe', 'pipe', ...(filter ? (['pipe'] as const) : [])],
    windowsHide: true,
    env,
  })
  const filterInput = child.stdio[3]
  // Whoever starts the program reads the filter before it; when it dies, its own message says why.
  if (filterInput && 'end' in filterInput) filterInput.on('error', () => {}).end(filter)
  return child as ChildProcessWithoutNullStreams
}

/** The names of signals by number; of two names the first, as Node has it. */
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)

/** The signal that ended a program in a sandbox, whose first process passes it on as a code. */
const signalOf = (code: number | null) => SIGNALS.get((code ?? 0) - 128)

/** Starts `program`; an abort kills it, and then `finished` rejects with the signal's reason. */
export const startProcess = (
  program: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
  { launch }: StartOptions = {},
): MediaProcess => {
  signal?.throwIfAborted()
  const child = spawnPiped(program, args, launch ?? { words: [] })
  const log = debugLog('ffmpeg')
  log?.(`${child.pid} ${commandLine(program, args)}`)
  let stderr = ''
  let isLacking = false
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
    isLacking ||= LACKS.test(stderr)
    stderr = stderr.slice(-4 * STDERR_TAIL_CHARACTERS)
  })
  // When the child dies, EPIPE arrives here before the child's own message; `finished` rejects with that message.
  child.stdin.on('error', () => {})

  // SIGKILL is safe, because the output of a stopped process is deleted anyway.
  const kill = () => {
    child.kill('SIGKILL')
    child.stdout.destroy()
  }
  signal?.addEventListener('abort', kill, { once: true })
  const failureOf = (outcome: string, isKilled = false) => {
    const facts = { program: basename(program), outcome, stderr: tailOf(stderr) }
    return fail('VID_FFMPEG_FAILED', { ...facts, isMachine: isLacking || isKilled })
  }
  const finished = new Promise<void>((resolve, reject) => {
    child.once('error', (cause) => reject(fail('VID_FFMPEG_START', { program, reason: cause.message }, { cause })))
    child.once('close', (code, endedBy) => {
      signal?.removeEventListener('abort', kill)
      const killedBy = endedBy ?? (launch && signalOf(code))
      log?.(`${child.pid} ended with ${killedBy ?? code}`)
      if (signal?.aborted) return reject(signal.reason)
      if (killedBy) return reject(failureOf(`was killed by ${killedBy}`, !CRASHES.has(killedBy)))
      // A file that could not be written is not always a failure to ffmpeg.
      if (code === 0) return isLacking ? reject(failureOf('ended with errors')) : resolve()
      reject(failureOf(`exited with code ${code}`, code === STOPPED && stderr === ''))
    })
  })
  // Callers see the error when they await; without a caller it must not end the program as an unhandled rejection.
  finished.catch(() => {})
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    finished,
    async succeeded() {
      await finished
      if (REPORTED.test(stderr)) throw failureOf('ended with errors')
    },
    stderr: () => tailOf(stderr),
    printed: () => stderr,
    reported: () => (REPORTED.test(stderr) ? tailOf(stderr) : undefined),
    kill,
  }
}

/** Runs `program` to its end and returns its stdout, the last lines of its stderr, and the end of it as printed. */
export const runForOutput = async (
  program: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
  { strict = false, ...start }: StartOptions & { readonly strict?: boolean } = {},
): Promise<{ readonly stdout: string; readonly stderr: string; readonly printed: string }> => {
  const child = startProcess(program, args, signal, start)
  child.stdin.end()
  const [stdout, exit] = await Promise.allSettled([text(child.stdout), strict ? child.succeeded() : child.finished])
  if (exit.status === 'rejected') throw exit.reason
  if (stdout.status === 'rejected') throw stdout.reason
  return { stdout: stdout.value, stderr: child.stderr(), printed: child.printed() }
}

/** Runs `program` to its end and returns its stdout; with `strict`, errors that it reports count as failure. */
export const runProcess = async (...call: Parameters<typeof runForOutput>): Promise<string> =>
  (await runForOutput(...call)).stdout
