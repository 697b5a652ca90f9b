import { spawn } from 'node:child_process'

/** The program that opens an address in the user's browser, with its arguments. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a web address in the user's browser, without a shell; does nothing without a browser. */
export const openUserBrowser = (address: string): void => {
  const { href, protocol } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return
  const [program, ...words] = openers[process.platform] ?? ['xdg-open']
  const { HOST_API_KEY: _host, VID_API_KEY: _vid, ...env } = process.env
  const child = spawn(program, [...words, href], { stdio: 'ignore', detached: true, env })
  // The address is printed too.
  child.once('error', () => {})
  child.unref()
}
