import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { type BrowserLaunch, type DrivenProcess, watchProcess } from '@vid/browser'
import { spawnGroup } from '@vid/system'

/** The process of a browser that takes commands by pipes. */
export interface BrowserProcess extends DrivenProcess {
  readonly commands: Writable
  readonly answers: Readable
}

/** Starts a browser as the leader of a process group; it is killed when the signal aborts. */
export const startBrowser = async ({ executable, args, env, signal }: BrowserLaunch): Promise<BrowserProcess> => {
  const child = spawnGroup(
    executable,
    [...args, '--remote-debugging-pipe'],
    { env, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] },
    signal,
  )
  // One without an id reports why it did not start.
  const watched = watchProcess(child) ?? (await once(child, 'spawn').then(() => undefined))
  if (!watched) throw new Error('the browser has no process')
  const [, , , commands, answers] = child.stdio
  return { ...watched, commands: commands as Writable, answers: answers as Readable }
}
