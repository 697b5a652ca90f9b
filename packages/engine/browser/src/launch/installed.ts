import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describeCause } from '@vid/protocol'
import { childEnvironment, withinServed, writeWhole } from '@vid/system'
import { browserError } from '../errors.ts'

/**
 * A program that can be driven: the shell draws frames on command, a full Chrome only takes screenshots, and so does a
 * Firefox, without the DevTools protocol.
 */
export type BrowserKind = 'headless-shell' | 'chrome' | 'firefox'

/** The browser engine. */
export type BrowserEngine = 'chromium' | 'firefox'

const run = promisify(execFile)
/** Served time in which a program must have printed its version. */
const VERSION_MS = 20_000

interface Programs {
  /** Its name in errors. */
  readonly title: string
  /** Patterns for its `--version` output, and for the version in it. */
  readonly said: RegExp
  readonly version: RegExp
  /** Program names to look for in each folder of PATH, the preferred first. */
  readonly commands: readonly string[]
  readonly linux: readonly string[]
  readonly mac: readonly string[]
  readonly windows: readonly string[]
}

const PROGRAMS: Readonly<Record<BrowserEngine, Programs>> = {
  chromium: {
    title: 'Chromium',
    said: /chrom|edge/i,
    version: /\b(\d+\.\d+\.\d+\.\d+)\b/,
    commands: [
      // The one that draws frames on command first.
      'chrome-headless-shell',
      'headless_shell',
      'google-chrome-stable',
      'google-chrome',
      'chromium',
      'chromium-browser',
      'microsoft-edge',
    ],
    linux: ['/opt/google/chrome/chrome', '/usr/lib/chromium/chromium'],
    mac: [
      'Google Chrome.app/Contents/MacOS/Google Chrome',
      'Chromium.app/Contents/MacOS/Chromium',
      'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ],
    windows: ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'],
  },
  firefox: {
    title: 'Firefox',
    said: /firefox/i,
    version: /\b(\d+(?:\.\d+)+(?:esr|[ab]\d+)?)\b/,
    commands: ['firefox', 'firefox-esr'],
    linux: ['/opt/firefox/firefox', '/usr/lib/firefox/firefox', '/usr/lib/firefox-esr/firefox-esr'],
    mac: ['Firefox.app/Contents/MacOS/firefox'],
    windows: ['Mozilla Firefox\\firefox.exe'],
  },
}

/** Possible paths of browsers on this machine, the preferred first. */
export const installedPaths = (
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
  engine: BrowserEngine = 'chromium',
): readonly string[] => {
  const { commands, linux, mac, windows } = PROGRAMS[engine]
  const home = env.HOME ?? ''
  if (platform === 'darwin') {
    return ['/Applications', join(home, 'Applications')].flatMap((dir) => mac.map((app) => join(dir, app)))
  }
  if (platform === 'win32') {
    const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]
    return roots.flatMap((root) => (root ? windows.map((app) => `${root}\\${app}`) : []))
  }
  const dirs = (env.PATH ?? '').split(delimiter).filter((dir) => dir.startsWith('/'))
  return [...commands.flatMap((name) => dirs.map((dir) => join(dir, name))), ...linux]
}

/** Distinguishes the two kinds of Chromium by the program's name, since both answer `--version` alike. */
export const browserKindOf = (path: string, engine: BrowserEngine): BrowserKind => {
  if (engine === 'firefox') return 'firefox'
  return /headless[-_]shell/i.test(basename(path)) ? 'headless-shell' : 'chrome'
}

/** Whether a regular file may be run by this user. */
export const isExecutable = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/**
 * The version that a program prints. chrome.exe opens a window instead, so its version is read from a folder name
 * beside it.
 */
export const askVersion = async (
  path: string,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
  engine: BrowserEngine = 'chromium',
): Promise<{ readonly version: string | undefined; readonly said: string }> => {
  const { said: isOurs, version: pattern } = PROGRAMS[engine]
  if (process.platform === 'win32' && engine === 'chromium') {
    const names = await readdir(dirname(path))
    const version = names.find((name) => pattern.exec(name)?.[0] === name)
    return { version, said: names.join(' ') }
  }
  try {
    const asking = (either: AbortSignal) => run(path, ['--version'], { env, signal: either })
    const said = (await withinServed(VERSION_MS, asking, { signal })).stdout.trim()
    const version = isOurs.test(said) ? pattern.exec(said)?.[1] : undefined
    return { version: version, said: said.slice(0, 200) }
  } catch (cause) {
    signal?.throwIfAborted()
    return { version: undefined, said: describeCause(cause).slice(0, 200) }
  }
}

/**
 * Whether the file of a program decides which version it is: the text is in it. A launcher, such as a script or that of a
 * snap, stays the same when the browser that it starts is another.
 */
const isOfVersion = async (path: string, version: string): Promise<boolean> => {
  let rest = Buffer.alloc(0)
  let isFirst = true
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 }) as AsyncIterable<Buffer>) {
    if (isFirst && chunk.toString('latin1', 0, 2) === '#!') return false
    isFirst = false
    const part = Buffer.concat([rest, chunk])
    if (part.includes(version)) return true
    rest = part.subarray(-version.length)
  }
  return false
}

/** The version of a configured program; noted by path and the file's identity where these decide it. */
export const knownVersion = async (
  named: { readonly path: string; readonly setting: string },
  cacheDir: string,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
  engine: BrowserEngine = 'chromium',
): Promise<string> => {
  const { path, setting } = named
  const { title, version: pattern } = PROGRAMS[engine]
  const facts = await stat(path)
  const key = createHash('sha256')
    .update([path, facts.ino, facts.size, facts.mtimeMs, facts.ctimeMs].join('\n'))
    .digest('hex')
    .slice(0, 16)
  const note = join(cacheDir, 'versions', engine === 'chromium' ? key : `${engine}-${key}`)
  const noted = await readFile(note, 'utf8').catch(() => undefined)
  if (noted !== undefined && pattern.test(noted)) return noted
  const { version, said } = await askVersion(path, childEnvironment(env), signal, engine)
  if (version === undefined)
    throw browserError('VID_BROWSER_PATH_NOT_A_BROWSER', { setting, path, said, wanted: title })
  if (!(await isOfVersion(path, version))) return version
  await mkdir(dirname(note), { recursive: true, mode: 0o700 })
  await writeWhole(note, (partial) => writeFile(partial, version))
  return version
}
