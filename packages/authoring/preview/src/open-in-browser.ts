import { spawn } from 'node:child_process'

const PROGRAMS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '""'],
}

/** Opens an address in the browser of this machine; without one, the user opens it. */
export const openInBrowser = (url: string): void => {
  const [program, ...args] = PROGRAMS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, windowsHide: true })
  child.on('error', () => {})
  child.unref()
}
