const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** What a process knows of being stopped. */
export interface Stops {
  readonly signal: AbortSignal
  /** The exit code of the signal that stopped it. */
  exitCode(): number | undefined
}

/** Turns the first stop signal, or a crash outside any promise, into an abort; a second signal ends the process. */
export const listenForStops = (): Stops => {
  const controller = new AbortController()
  let exitCode: number | undefined
  for (const [name, code] of Object.entries(exitCodes))
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(code)
      exitCode = code
      controller.abort(Object.assign(new Error(`stopped by ${name}`), { exitCode: code }))
    })
  process.on('uncaughtException', (thrown) => {
    if (controller.signal.aborted) return
    controller.abort(thrown)
  })
  return { signal: controller.signal, exitCode: () => exitCode }
}
