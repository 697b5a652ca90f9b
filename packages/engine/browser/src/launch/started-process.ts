import { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type DrivenProcess, watchProcess } from './driven-process.ts'

/** Runs `work`; `process` returns the process that it started with `args`, even if a library does not expose it. */
export const watchStart = async <T>(
  args: readonly string[],
  work: (process: () => DrivenProcess | undefined) => Promise<T>,
): Promise<T> => {
  let started: DrivenProcess | undefined
  const isOurs = (child: ChildProcess) => args.every((arg) => child.spawnargs?.includes(arg))
  const look = (message: unknown) => {
    const child = typeof message === 'object' && message && 'process' in message && message.process
    // A process is announced before it starts; its arguments are known when that call returns.
    if (child instanceof ChildProcess)
      queueMicrotask(() => {
        if (isOurs(child)) started = watchProcess(child)
      })
  }
  subscribe('child_process', look)
  try {
    return await work(() => started)
  } finally {
    unsubscribe('child_process', look)
  }
}

/** The error of a browser that did not start, with how its process ended and what it printed last. */
export const explainStart = async (cause: unknown, started: DrivenProcess | undefined): Promise<unknown> => {
  const exit = await started?.exited
  return exit ? new Error(`it ended with ${exit.code ?? exit.signal}: ${exit.stderr}`, { cause }) : cause
}
