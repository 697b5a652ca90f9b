import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { childEnvironment, debugLog } from '@vid/kernel'
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

/** Starts `program`; an abort kills it, and then `finished` rejects with the signal's reason. */
export const startProcess = (
  program: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): MediaProcess => {
  signal?.throwIfAborted()
  const env = withoutConverters()
  const child = spawn(program, [...args], { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true, env })
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
  const failed = (outcome: string, isKilled = false) => {
    const facts = { program: basename(program), outcome, stderr: tailOf(stderr) }
    return fail('VID_FFMPEG_FAILED', { ...facts, isMachine: isLacking || isKilled })
  }
  const finished = new Promise<void>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(fail('VID_FFMPEG_START', { program, reason: cause.message }, { cause })),
    )
    child.once('close', (code, killedBy) => {
      signal?.removeEventListener('abort', kill)
      log?.(`${child.pid} ended with ${killedBy ?? code}`)
      if (signal?.aborted) return reject(signal.reason)
      if (killedBy) return reject(failed(`was killed by ${killedBy}`, !CRASHES.has(killedBy)))
      // A file that could not be written is not always a failure to ffmpeg.
      if (code === 0) return isLacking ? reject(failed('ended with errors')) : resolve()
      reject(failed(`exited with code ${code}`, code === STOPPED && stderr === ''))
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
      if (REPORTED.test(stderr)) throw failed('ended with errors')
    },
    stderr: () => tailOf(stderr),
    kill,
  }
}

/** Runs `program` to its end and returns its stdout and the last lines of its stderr. */
export const runForOutput = async (
  program: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
  { strict = false }: { readonly strict?: boolean } = {},
): Promise<{ readonly printed: string; readonly stderr: string }> => {
  const child = startProcess(program, args, signal)
  child.stdin.end()
  const [printed, ended] = await Promise.allSettled([
    text(child.stdout),
    strict ? child.succeeded() : child.finished,
  ])
  if (ended.status === 'rejected') throw ended.reason
  if (printed.status === 'rejected') throw printed.reason
  return { printed: printed.value, stderr: child.stderr() }
}

/** Runs `program` to its end and returns its stdout; with `strict`, errors that it reports count as failure. */
export const runProcess = async (...call: Parameters<typeof runForOutput>): Promise<string> =>
  (await runForOutput(...call)).printed
