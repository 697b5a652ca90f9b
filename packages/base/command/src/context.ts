/** The environment of a command. */
export interface CommandContext {
  readonly stdin: NodeJS.ReadStream | NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream
  readonly env: NodeJS.ProcessEnv
  /** Absolute folder that relative paths start from. */
  readonly cwd: string
  /** Absolute folders, outside of which the command looks for nothing that its line does not name; left out, it may. */
  readonly roots?: readonly string[]
  /** Aborts when the user wants the command to stop. */
  readonly signal: AbortSignal
  /** Runs code of the user that may block this thread: meanwhile, a stop signal ends the process at once. */
  readonly unguarded: <T>(run: () => Promise<T>) => Promise<T>
}

/** Resolves once the user wants the command to stop. */
export const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
