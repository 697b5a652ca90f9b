import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { type BrowserLaunch, type DrivenProcess, watchProcess } from '@vid/browser'

/** The process of a browser that takes commands by pipes. */
export interface BrowserProcess extends DrivenProcess {
  readonly commands: Writable
  readonly answers: Readable
}

/** Browsers that run, killed when this process exits before it has closed them. */
const running = new Set<ChildProcess>()

const killGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

const killAll = (): void => {
  for (const child of running) killGroup(child)
}

/** Starts a browser as the leader of a process group; it is killed when the signal aborts. */
export const startBrowser = async ({ executable, args, env, signal }: BrowserLaunch): Promise<BrowserProcess> => {
  signal.throwIfAborted()
  const child = spawn(executable, [...args, '--remote-debugging-pipe'], {
    detached: process.platform !== 'win32',
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  // One without an id reports why it did not start.
  const watched = watchProcess(child) ?? (await once(child, 'spawn').then(() => undefined))
  if (!watched) throw new Error('the browser has no process')
  const onAbort = () => killGroup(child)
  if (running.size === 0) process.on('exit', killAll)
  running.add(child)
  signal.addEventListener('abort', onAbort, { once: true })
  void watched.exited.then(() => {
    signal.removeEventListener('abort', onAbort)
    running.delete(child)
    if (running.size === 0) process.off('exit', killAll)
  })
  const [, , , commands, answers] = child.stdio
  return { ...watched, commands: commands as Writable, answers: answers as Readable }
}
