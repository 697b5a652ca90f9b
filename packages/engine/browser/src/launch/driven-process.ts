import type { ChildProcess } from 'node:child_process'
import type { BrowserExit } from '../driver/cdp.ts'

/** Time for a browser to exit gracefully, in milliseconds. */
const GRACE_MS = 2_000

/** Lines of stderr that go into an error. */
const LAST_LINES = 8

/** The process of a browser that a driver's library has started. */
export interface DrivenProcess {
  readonly pid: number
  /** Resolves once the process and its helpers have exited. */
  readonly exited: Promise<BrowserExit>
  /** Calls `ask` and waits for the exit; kills the process if that takes too long. */
  end(ask: () => Promise<unknown>): Promise<void>
}

/** Kills the helper processes of a browser: they are in one process group, with the browser's pid as its id. */
const endGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // No process was left.
  }
}

/** Watches the process of a browser, which must lead a process group; undefined when it could not start. */
export const watchProcess = (child: ChildProcess): DrivenProcess | undefined => {
  const { pid } = child
  if (pid === undefined) return undefined
  let lastLines = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    lastLines = (lastLines + chunk.toString()).split('\n').slice(-LAST_LINES).join('\n')
  })
  const hasExited = () => child.exitCode !== null || child.signalCode !== null
  const closed = new Promise<void>((resolve) => {
    if (hasExited()) resolve()
    else child.once('close', () => resolve())
  })
  // A helper that outlives the browser would keep stderr open, and delay the end forever.
  if (hasExited()) endGroup(pid)
  else child.once('exit', () => endGroup(pid))
  const exited = closed.then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
    stderr: lastLines.trim(),
  }))
  return {
    pid,
    exited,
    async end(ask) {
      const force = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
      ask().catch(() => child.kill('SIGKILL'))
      await exited
      clearTimeout(force)
    },
  }
}
