import { constants } from 'node:os'
import { basename } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { debugLog } from '@vid/system'
import { fail } from '../errors.ts'
import { hasMemoryRoom } from './memory-room.ts'
import { type PrintedLines, readPrinted } from './printed-lines.ts'
import { type Launch, spawnPiped } from './spawn.ts'

/** A running ffmpeg or ffprobe. Its stdout must be read, resumed or destroyed. */
export interface MediaProcess {
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  /** Settles when the process has exited and its pipes are closed; rejects when it failed or was aborted. */
  readonly finished: Promise<void>
  /** Like `finished`, but also rejects when ffmpeg reported errors and exited with 0, as it does on a full disk. */
  succeeded(): Promise<void>
  /** The last lines of stderr so far, of ffmpeg and of its libraries: to show, not to judge by. */
  stderr(): string
  /** The end of stderr so far, as it was printed. */
  printed(): string
  /** The last errors that ffmpeg itself reported so far; undefined while there are none. */
  reported(): string | undefined
  /** Kills the process; await `finished` to know that it has exited. */
  kill(): void
}

/** Options that make ffmpeg and ffprobe print errors only, each with its level, by which they are known. */
export const ERRORS_ONLY: readonly string[] = ['-v', 'level+error']

/** `ERRORS_ONLY` for ffmpeg, which also prints how far it is. */
export const QUIET: readonly string[] = ['-hide_banner', '-nostats', ...ERRORS_ONLY]

/** Signals that a fault of ffmpeg's own raises, as a broken source may; any other comes from outside. */
const CRASHES: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGABRT', 'SIGFPE', 'SIGILL', 'SIGTRAP'])

/** Code with which ffmpeg exits when a signal stops it. */
const STOPPED = 255

/** Codes of shells and of the system's loader for a program that does not start. */
const UNSTARTED: ReadonlySet<number | null> = new Set([126, 127])

/** A command line that a POSIX shell takes as it is printed. */
const commandLine = (program: string, args: readonly string[]) =>
  [program, ...args]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')

/** How a process is started. */
export interface ProcessOptions {
  /** Words that start it in a sandbox. */
  readonly launch?: Launch
}

/** The names of signals by number; of two names the first, as Node has it. */
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)

/** The signal that ended a program in a sandbox, whose first process passes it on as a code. */
const signalOf = (code: number | null) => SIGNALS.get((code ?? 0) - 128)

/** How a program ended that nobody stopped, and what it printed. */
interface Ending {
  readonly program: string
  readonly launch: Launch | undefined
  readonly code: number | null
  readonly killedBy: string | undefined
  readonly printed: PrintedLines
  readonly signal: AbortSignal | undefined
}

/** Whether a failure is the machine's by the way the program ended, whatever it says that is lacking. */
const isStoppedOrUnstarted = ({ launch, code, killedBy, printed }: Ending): boolean => {
  if (killedBy !== undefined) return !CRASHES.has(killedBy)
  if (printed.errors() !== '') return false
  // ffmpeg says why it fails: it was stopped, or what starts it says why it did not.
  return code === STOPPED || UNSTARTED.has(code) || (launch !== undefined && printed.printed() !== '')
}

/** The error of a program that failed; undefined when it did not. */
const failureOf = async (ending: Ending) => {
  const { program, launch, code, killedBy, printed, signal } = ending
  const named = printed.lack()
  const lack = named === 'memory' && (await hasMemoryRoom(program, launch, signal)) ? undefined : named
  // A file that could not be written is not always a failure to ffmpeg.
  if (code === 0 && lack === undefined) return undefined
  const exit = code === 0 ? 'ended with errors' : `exited with code ${code}`
  return fail('VID_FFMPEG_FAILED', {
    program: basename(program),
    outcome: killedBy === undefined ? exit : `was killed by ${killedBy}`,
    stderr: printed.tail(),
    isDiskFull: lack === 'disk',
    isMachine: lack !== undefined || (code !== 0 && isStoppedOrUnstarted(ending)),
  })
}

/** Starts `program`; an abort kills it, and then `finished` rejects with the signal's reason. */
export const startProcess = (
  program: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
  { launch }: ProcessOptions = {},
): MediaProcess => {
  signal?.throwIfAborted()
  const child = spawnPiped(program, args, launch)
  const log = debugLog('ffmpeg')
  log?.(`${child.pid} ${commandLine(program, args)}`)
  const printed = readPrinted()
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => printed.add(chunk))
  // When the child dies, EPIPE arrives here before the child's own message; `finished` rejects with that message.
  child.stdin.on('error', () => {})

  // SIGKILL is safe, because the output of a stopped process is deleted anyway.
  const kill = () => {
    child.kill('SIGKILL')
    child.stdout.destroy()
  }
  signal?.addEventListener('abort', kill, { once: true })
  const finished = new Promise<void>((resolve, reject) => {
    child.once('error', (cause) => reject(fail('VID_FFMPEG_START', { program, reason: cause.message }, { cause })))
    child.once('close', (code, endedBy) => {
      signal?.removeEventListener('abort', kill)
      printed.end()
      const killedBy = endedBy ?? (launch && signalOf(code))
      log?.(`${child.pid} ended with ${killedBy ?? code}`)
      if (signal?.aborted) return reject(signal.reason)
      failureOf({ program, launch, code, killedBy, printed, signal }).then((failure) => {
        if (failure) reject(failure)
        else resolve()
      }, reject)
    })
  })
  // Callers see the error when they await; without a caller it must not end the program as an unhandled rejection.
  finished.catch(() => {})
  const reported = () => printed.errors() || undefined
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    finished,
    async succeeded() {
      await finished
      const stderr = reported()
      if (stderr !== undefined)
        throw fail('VID_FFMPEG_FAILED', { program: basename(program), outcome: 'ended with errors', stderr })
    },
    stderr: printed.tail,
    printed: printed.printed,
    reported,
    kill,
  }
}

/** Runs `program` to its end and returns its stdout, the errors that ffmpeg itself reported, and the end of stderr as printed. */
export const runForOutput = async (
  program: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
  { strict = false, ...start }: ProcessOptions & { readonly strict?: boolean } = {},
): Promise<{ readonly stdout: string; readonly reported: string | undefined; readonly printed: string }> => {
  const child = startProcess(program, args, signal, start)
  child.stdin.end()
  const [stdout, exit] = await Promise.allSettled([text(child.stdout), strict ? child.succeeded() : child.finished])
  if (exit.status === 'rejected') throw exit.reason
  if (stdout.status === 'rejected') throw stdout.reason
  return { stdout: stdout.value, reported: child.reported(), printed: child.printed() }
}

/** Runs `program` to its end and returns its stdout; with `strict`, errors that it reports count as failure. */
export const runProcess = async (...call: Parameters<typeof runForOutput>): Promise<string> =>
  (await runForOutput(...call)).stdout
