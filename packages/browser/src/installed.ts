import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, constants, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describeCause } from '@vid/kernel'
import { browserError } from './errors.ts'

/** A program that can be driven: the shell draws frames on command, a full Chrome only takes screenshots. */
export type BrowserKind = 'headless-shell' | 'chrome'

const run = promisify(execFile)
const VERSION = /\b(\d+\.\d+\.\d+\.\d+)\b/
const VERSION_TIMEOUT_MS = 20_000

/** Names looked for in each folder of PATH, the one with frame control first. */
const COMMANDS = [
  'chrome-headless-shell',
  'headless_shell',
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
]

const MAC_APPS = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]

const WINDOWS_APPS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe']

/** Where a browser may be installed on this machine, the best first. */
export const installedPaths = (
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): readonly string[] => {
  const home = env.HOME ?? ''
  if (platform === 'darwin') {
    return ['/Applications', join(home, 'Applications')].flatMap((dir) =>
      MAC_APPS.map((app) => join(dir, app)),
    )
  }
  if (platform === 'win32') {
    const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]
    return roots.flatMap((root) => (root ? WINDOWS_APPS.map((app) => `${root}\\${app}`) : []))
  }
  const dirs = (env.PATH ?? '').split(delimiter).filter((dir) => dir.startsWith('/'))
  return [
    ...COMMANDS.flatMap((name) => dirs.map((dir) => join(dir, name))),
    '/opt/google/chrome/chrome',
    '/usr/lib/chromium/chromium',
  ]
}

/** Tells the two kinds apart by the program's name, since both answer `--version` alike. */
export const kindOf = (path: string): BrowserKind =>
  /headless[-_]shell/i.test(basename(path)) ? 'headless-shell' : 'chrome'

/** Whether a regular file may be run by this user. */
export const isExecutable = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/** What a program says of its own version; chrome.exe opens a window instead, so its sibling folder's name is read. */
export const askVersion = async (
  path: string,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<{ readonly version: string | undefined; readonly said: string }> => {
  if (process.platform === 'win32') {
    const names = await readdir(dirname(path))
    const version = names.find((name) => VERSION.exec(name)?.[0] === name)
    return { version, said: names.join(' ') }
  }
  try {
    const options = { env, timeout: VERSION_TIMEOUT_MS, ...(signal && { signal }) }
    const said = (await run(path, ['--version'], options)).stdout.trim()
    const known = /chrom|edge/i.test(said) ? VERSION.exec(said)?.[1] : undefined
    return { version: known, said: said.slice(0, 200) }
  } catch (cause) {
    signal?.throwIfAborted()
    return { version: undefined, said: describeCause(cause).slice(0, 200) }
  }
}

/** The version of a named program, remembered by path, size and change time so that it is asked once. */
export const knownVersion = async (
  named: { readonly path: string; readonly setting: string },
  cacheDir: string,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<string> => {
  const { path, setting } = named
  const facts = await stat(path)
  const key = createHash('sha256')
    .update(`${path}\n${facts.size}\n${facts.mtimeMs}`)
    .digest('hex')
    .slice(0, 16)
  const note = join(cacheDir, 'versions', key)
  const noted = await readFile(note, 'utf8').catch(() => undefined)
  if (noted !== undefined && VERSION.test(noted)) return noted
  const { version, said } = await askVersion(path, env, signal)
  if (version === undefined) throw browserError('VID_BROWSER_PATH_NOT_A_BROWSER', { setting, path, said })
  await mkdir(dirname(note), { recursive: true, mode: 0o700 })
  await writeFile(`${note}.${process.pid}`, version)
  await rename(`${note}.${process.pid}`, note)
  return version
}
