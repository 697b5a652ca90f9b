import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { setImmediate as nextTurn } from 'node:timers/promises'

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** How a process is stopped. */
export interface Stops {
  readonly signal: AbortSignal
  /** The exit code of the signal that stopped it. */
  exitCode(): number | undefined
  /** The coded error of what was thrown where nothing waits for it; undefined when nothing was. */
  failure(): Promise<unknown> | undefined
  /** Aborts for something that was thrown where nothing waits for it. */
  crash(thrown: unknown): void
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

/** A turn of the event loop that is shorter has most likely had no signal. */
const QUIET_MS = 1

/** Most turns that are waited for while other work goes on. */
const MAX_TURNS = 100

/** Lets the event loop report the signals that have come: one that came while this thread was busy is lost with its listener. */
const reportSignals = async (): Promise<void> => {
  // The first turn may be the rest of one that has looked for signals already.
  await nextTurn()
  for (let turns = 0; turns < MAX_TURNS; turns += 1) {
    const startedMs = performance.now()
    await nextTurn()
    if (performance.now() - startedMs < QUIET_MS) return
  }
}

/** The coded error of a crash, which distinguishes it from a user who stops the command. It never rejects: that would be the next crash. */
const describeCrash = async (thrown: unknown): Promise<unknown> => {
  try {
    const [{ codedError }, { blameStray }] = await Promise.all([import('@vid/render'), import('@vid/kernel')])
    const coded = codedError(thrown)
    return coded.code === 'VID_OPEN_FILES' ? coded : (blameStray(thrown) ?? coded)
  } catch {
    return thrown
  }
}

/** Turns the first stop signal, or a crash outside any promise, into an abort; a second signal ends the process with `exit`. */
export const listenForStops = (exit: (code: number) => void = process.exit): Stops => {
  const controller = new AbortController()
  const children = watchChildren()
  let exitCode: number | undefined
  const stop = (name: NodeJS.Signals) => {
    const code = exitCodes[name as keyof typeof exitCodes]
    if (controller.signal.aborted) {
      for (const child of children) child.kill('SIGKILL')
      exit(code)
      return
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
  // Several at once, such as the configs of two compositions, are one stretch without listeners.
  let unguarded = 0
  const guard = () => {
    unguarded -= 1
    if (unguarded === 0) listen()
  }
  listen()
  let failure: Promise<unknown> | undefined
  const crash = (thrown: unknown) => {
    if (controller.signal.aborted || failure) return
    failure = describeCrash(thrown)
    void failure.then((cause) => controller.abort(new Error('something failed where nothing waits for it', { cause })))
  }
  process.on('uncaughtException', crash)
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    failure: () => failure,
    crash,
    async unguarded(run) {
      await reportSignals()
      controller.signal.throwIfAborted()
      if (unguarded === 0) ignore()
      unguarded += 1
      return run().finally(guard)
    },
  }
}
