import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openCacheDir, writeFontSettings } from '@vid/assets'
import { isVidError } from '@vid/protocol'
import { childEnvironment, wantsWindow } from '@vid/system'
import { browserError } from '../errors.ts'
import { findDownloaded } from './downloaded.ts'
import {
  askVersion,
  type BrowserEngine,
  type BrowserKind,
  browserKindOf,
  installedPaths,
  isExecutable,
  knownVersion,
} from './installed.ts'
import { unpackBrowser } from './unpack.ts'

/** A browser to launch, with its environment variables. */
export interface BrowserExecutable {
  readonly path: string
  /** The complete environment to start it with. */
  readonly env: Readonly<Record<string, string>>
  /** Such as `153.0.8010.0`. */
  readonly version: string
  readonly kind: BrowserKind
  /** Unpacks the embedded browser again if any of its files is damaged; resolves to whether it was. */
  readonly repair?: () => Promise<boolean>
  readonly source: 'environment' | 'option' | 'embedded' | 'downloaded' | 'installed'
}

export interface FindBrowserOptions {
  /** The configured path; VID_BROWSER_PATH takes precedence. */
  readonly path?: string
  /** Where the embedded browser is unpacked; by default the user's cache folder. */
  readonly cacheDir?: string
  readonly env?: NodeJS.ProcessEnv
  readonly signal?: AbortSignal
  /** By default `chromium`; no Firefox is embedded. */
  readonly engine?: BrowserEngine
}

/** One search's settings: the caller's environment and the opened cache folder. */
export interface Search {
  readonly env: NodeJS.ProcessEnv
  readonly cacheDir: string
  readonly signal: AbortSignal | undefined
  readonly engine?: BrowserEngine
  /** Whether the browser must be able to open a window. */
  readonly headed?: boolean
}

const GLIBC_LOADER = '/lib64/ld-linux-x86-64.so.2'

/** The folder of the archives that npm installed; undefined where they are not installed or cannot run. */
const archiveFolder = async (): Promise<string | undefined> => {
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(GLIBC_LOADER)) return undefined
  try {
    const { archives } = await import('@vid/chromium-linux-x64')
    return archives
  } catch (cause) {
    // An optional dependency: an installed browser is used without it.
    if ((cause as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw cause
  }
}

const withLibraries = (libraryDir: string, env: NodeJS.ProcessEnv): Record<string, string> => ({
  LD_LIBRARY_PATH: [libraryDir, env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
})

const findNamed = async (
  named: { readonly path: string; readonly setting: string },
  { env, cacheDir, signal, engine = 'chromium' }: Search,
): Promise<Omit<BrowserExecutable, 'source'>> => {
  const path = resolve(named.path)
  const facts = await stat(path).catch(() => undefined)
  if (facts === undefined) throw browserError('VID_BROWSER_PATH_MISSING', { ...named })
  if (!(await isExecutable(path))) throw browserError('VID_BROWSER_PATH_NOT_EXECUTABLE', { ...named })
  const version = await knownVersion({ ...named, path }, cacheDir, env, signal, engine)
  return { path, env: {}, version, kind: browserKindOf(path, engine) }
}

const findEmbedded = async ({ env, cacheDir, signal }: Search): Promise<BrowserExecutable | undefined> => {
  const archives = await archiveFolder()
  if (archives === undefined) return undefined
  const unpack = (thorough: boolean) =>
    unpackBrowser({
      archives,
      cacheDir,
      signal,
      thorough,
      readVersion: async (fresh) => {
        const libraries = withLibraries(fresh.libraryDir, env)
        const answer = await askVersion(fresh.path, { ...childEnvironment(env), ...libraries }, signal)
        if (answer.version !== undefined) return answer.version
        throw browserError('VID_BROWSER_STARTS_NOT', { folder: cacheDir, said: answer.said })
      },
    })
  const { path, libraryDir, version } = await unpack(false)
  const repair = async () => (await unpack(true)).fresh
  return {
    path,
    version,
    kind: 'headless-shell',
    source: 'embedded',
    repair,
    env: withLibraries(libraryDir, env),
  }
}

/** The first installed browser that prints its version; a launcher stub that does not is skipped. */
export const findInstalled = async (search: Search): Promise<BrowserExecutable> => {
  const searched = installedPaths(search.env, process.platform, search.engine)
  for (const path of searched) {
    if (search.headed && browserKindOf(path, search.engine ?? 'chromium') !== 'chrome') continue
    if (!(await isExecutable(path))) continue
    try {
      const named = { path, setting: 'The installed browser' }
      return { ...(await findNamed(named, search)), source: 'installed' }
    } catch (cause) {
      if (!isVidError(cause)) throw cause
    }
  }
  if (search.headed) throw browserError('VID_BROWSER_WITHOUT_WINDOW', { found: 'no such browser' })
  const code = search.engine === 'firefox' ? 'VID_FIREFOX_NOT_FOUND' : 'VID_BROWSER_NOT_FOUND'
  throw browserError(code, { platform: `${process.platform} ${process.arch}`, searched })
}

const findShell = async ({ cacheDir }: Search): Promise<BrowserExecutable | undefined> => {
  const downloaded = await findDownloaded(cacheDir)
  return downloaded && { ...downloaded, env: {}, kind: 'headless-shell', source: 'downloaded' }
}

const findAny = async (search: Search, option: string | undefined): Promise<BrowserExecutable> => {
  const ordered = search.env.VID_BROWSER_PATH
  if (ordered) {
    const named = { path: ordered, setting: 'VID_BROWSER_PATH' }
    return { ...(await findNamed(named, search)), source: 'environment' }
  }
  if (option !== undefined) {
    return { ...(await findNamed({ path: option, setting: 'The browser path' }, search)), source: 'option' }
  }
  const ours =
    search.engine === 'firefox' || search.headed
      ? undefined
      : ((await findEmbedded(search)) ?? (await findShell(search)))
  return ours ?? (await findInstalled(search))
}

/** Variables that affect a page's picture: number and date formats, the time zone, and on Linux the fonts. */
const surroundings = async (cacheDir: string): Promise<Record<string, string>> => ({
  TZ: 'UTC',
  LC_ALL: 'en_US.UTF-8',
  LANGUAGE: 'en_US',
  ...(process.platform === 'linux' && { FONTCONFIG_FILE: await writeFontSettings(cacheDir) }),
})

/** The embedded browser, unpacked; undefined where none is embedded. */
export const findEmbeddedBrowser = async (
  options: Pick<FindBrowserOptions, 'env' | 'cacheDir' | 'signal'> = {},
): Promise<BrowserExecutable | undefined> => {
  const { env = process.env, signal } = options
  return findEmbedded({ env, signal, cacheDir: await openCacheDir(env, options.cacheDir) })
}

/**
 * Finds a browser: VID_BROWSER_PATH, the configured path, the embedded headless shell, a downloaded one, an installed
 * one. With `VID_HEADED=1`, only a full Chrome is accepted.
 */
export const findBrowser = async (options: FindBrowserOptions = {}): Promise<BrowserExecutable> => {
  const { env = process.env, signal, engine = 'chromium' } = options
  signal?.throwIfAborted()
  const headed = wantsWindow(env)
  const search: Search = { env, signal, engine, headed, cacheDir: await openCacheDir(env, options.cacheDir) }
  const browser = await findAny(search, options.path)
  if (headed && browser.kind !== 'chrome')
    throw browserError('VID_BROWSER_WITHOUT_WINDOW', { found: `the ${browser.kind} "${browser.path}"` })
  return {
    ...browser,
    env: { ...childEnvironment(env), ...browser.env, ...(await surroundings(search.cacheDir)) },
  }
}
