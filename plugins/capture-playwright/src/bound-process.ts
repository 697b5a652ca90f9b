import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { BrowserLaunch } from '@vid/browser'

/** The program of Linux distributions that starts another with a signal for when its parent dies. */
const BINDER = 'setpriv'

/**
 * Binds a browser to the life of this process, where the system can: one that is reached by a port would outlive a
 * process that is killed, where one at the end of a pipe ends by itself.
 */
export const boundToUs = (launch: BrowserLaunch): BrowserLaunch => {
  if (process.platform !== 'linux') return launch
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'))
  const binder = folders.map((folder) => join(folder, BINDER)).find(existsSync)
  if (binder === undefined) return launch
  const args = ['--pdeathsig', 'KILL', '--', launch.executable, ...launch.args]
  return { ...launch, executable: binder, args }
}
