import { spawn } from 'node:child_process'
import { childEnvironment } from '@vid/system'
import { fail } from '../errors.ts'

/** Variables by which the programs of engines find their engine, their credentials and their settings. */
const ENGINE_NAMES =
  /^(?:DOCKER_|CONTAINERS?_|BUILDKIT_|BUILDAH_|STORAGE_|XDG_|SSH_AUTH_SOCK$|DBUS_SESSION_BUS_ADDRESS$|REGISTRY_AUTH_FILE$)/

const MAX_TEXT = 4 * 1024 * 1024
const MAX_REASON = 600

/** What a call of an engine's program needs. */
export interface EngineProgram {
  /** Absolute path. */
  readonly program: string
  readonly env: NodeJS.ProcessEnv
}

/** How a call has ended, with what it wrote. */
export interface EngineAnswer {
  /** Null when a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** How a call is stopped, where it runs, and what receives its output. */
interface CallOptions {
  readonly signal?: AbortSignal
  readonly cwd?: string
  onText?(text: string): void
}

/** The variables of an engine's program: no token of the caller that is not the engine's. */
export const engineEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> => ({
  ...childEnvironment(env),
  ...Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && ENGINE_NAMES.test(entry[0]),
    ),
  ),
})

/** The last lines that a program wrote, as one line of text; what is too long is cut at words, and marked. */
export const lastWords = (text: string): string => {
  const reason = text.trim().split('\n').slice(-5).join(' | ')
  if (reason.length <= MAX_REASON) return reason || 'it says nothing'
  return `… ${reason.slice(-MAX_REASON).replace(/^\S*\s+/, '')}`
}

/** Calls the program of an engine and waits for its end; rejects only when it cannot be started, or is aborted. */
export const callEngine = (
  { program, env }: EngineProgram,
  args: readonly string[],
  { signal, cwd, onText }: CallOptions = {},
): Promise<EngineAnswer> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    // A separate process group: this process handles a terminal's Ctrl-C.
    const child = spawn(program, args, {
      env: engineEnvironment(env),
      ...(cwd !== undefined && { cwd }),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] = (texts[name] + text).slice(-MAX_TEXT)
        onText?.(text)
      })
    const stop = () => child.kill('SIGTERM')
    signal?.addEventListener('abort', stop, { once: true })
    child.once('error', (cause) => reject(cause))
    child.once('close', (code) => {
      signal?.removeEventListener('abort', stop)
      if (signal?.aborted) reject(signal.reason)
      else resolve({ code, ...texts })
    })
  })

/** Calls the program of an engine and resolves to what it wrote; a call that fails is an error with its last words. */
export const askEngine = async (
  engine: EngineProgram,
  args: readonly string[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<string> => {
  const { code, stdout, stderr } = await callEngine(engine, args, options)
  if (code === 0) return stdout
  const { program } = engine
  const command = args.slice(0, 2).join(' ')
  throw fail('VID_CONTAINER_ENGINE_FAILED', { program, command, reason: lastWords(stderr) })
}
