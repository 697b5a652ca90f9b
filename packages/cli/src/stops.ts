import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { setImmediate as nextTurn } from 'node:timers/promises'

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** How a process is stopped. */
export interface Stops {
  readonly signal: AbortSignal
  /** The exit code of the signal that stopped it. */
  exitCode(): number | undefined
  /** Runs code that may block this thread, where no listener could run: meanwhile, a signal ends the process by itself. */
  unguarded<T>(run: () => Promise<T>): Promise<T>
}

/** Children that this process starts from now on, while they run. */
const watchChildren = (): ReadonlySet<ChildProcess> => {
  const running = new Set<ChildProcess>()
  subscribe('child_process', (message) => {
    const { process: child } = message as { process: ChildProcess }
    running.add(child)
    child.once('exit', () => running.delete(child))
  })
  return running
}

/** Aborts with a coded error, which distinguishes a crash from a user who stops the command. */
const crash = async (controller: AbortController, thrown: unknown): Promise<void> => {
  const { codedError } = await import('@vid/render')
  controller.abort(new Error('something failed outside of every promise', { cause: codedError(thrown) }))
}

/** Turns the first stop signal, or a crash outside any promise, into an abort; a second signal ends the process at once. */
export const listenForStops = (): Stops => {
  const controller = new AbortController()
  const children = watchChildren()
  let exitCode: number | undefined
  const stop = (name: NodeJS.Signals) => {
    const code = exitCodes[name as keyof typeof exitCodes]
    if (controller.signal.aborted) {
      for (const child of children) child.kill('SIGKILL')
      process.exit(code)
    }
    exitCode = code
    controller.abort(Object.assign(new Error(`stopped by ${name}`), { exitCode: code }))
  }
  const listen = () => {
    for (const name of Object.keys(exitCodes)) process.on(name, stop)
  }
  const ignore = () => {
    for (const name of Object.keys(exitCodes)) process.off(name, stop)
  }
  listen()
  process.on('uncaughtException', (thrown) => {
    if (!controller.signal.aborted) void crash(controller, thrown)
  })
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    async unguarded(run) {
      // A signal that came while this thread was busy would be lost with its listener: the event loop reports it within two turns.
      await nextTurn()
      await nextTurn()
      controller.signal.throwIfAborted()
      ignore()
      return run().finally(listen)
    },
  }
}
