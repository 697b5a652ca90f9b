import { chmod, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openCacheDir } from '@vid/assets'
import { unpackProject } from '@vid/project'
import { describeCause, isMachineFault } from '@vid/protocol'
import { childEnvironment, makeScratchFolder, RUNS_NO_PROGRAMS, removeAbandoned, runsPrograms } from '@vid/system'
import { browserError } from '../errors.ts'
import { downloadedName } from '../launch/downloaded.ts'
import { askVersion } from '../launch/installed.ts'
import { type InstallMachine, programName } from '../launch/platform.ts'
import { readUnpackedManifest, writeManifest } from '../launch/unpacked-files.ts'
import { type BrowserDownload, chooseDownload, indexAddress, mirrorOf } from './download-index.ts'
import { type FetchRules, fetchText, fetchZip } from './fetch-file.ts'

const TEMP_MARK = '.downloading-'

/** Size limits, several times those of a headless shell. */
const LIMITS = { entries: 5000, fileBytes: 2 ** 30, bytes: 2 * 2 ** 30, ratio: 50 }

/** Options of an installation. */
export interface InstallOptions extends Pick<FetchRules, 'signal' | 'onProgress'> {
  readonly env: NodeJS.ProcessEnv
  /** The folder to install into; by default the user's cache folder. */
  readonly cacheDir?: string
  /** By default this one. */
  readonly machine?: InstallMachine
}

/** A browser that is now in the cache folder. */
export interface InstalledBrowser {
  /** Absolute path of its program. */
  readonly path: string
  readonly version: string
  /** Address of the download. */
  readonly url: string
  /** Whether it was downloaded now. */
  readonly fresh: boolean
}

const unpack = async (zip: string, folder: string, url: string, signal: AbortSignal): Promise<void> => {
  try {
    await unpackProject(zip, folder, { limits: LIMITS, signal })
  } catch (cause) {
    signal.throwIfAborted()
    const reason = describeCause(cause)
    if (isMachineFault(cause))
      throw browserError('VID_BROWSER_UNPACK_FAILED', { archive: url, folder, reason }, { cause })
    throw browserError('VID_BROWSER_DOWNLOAD_UNFIT', { url, reason }, { cause })
  }
}

/** Starts the program and checks its version. */
const prove = async (
  program: string,
  { version, url }: BrowserDownload,
  { env, signal }: InstallOptions,
): Promise<void> => {
  const { version: installed, said } = await askVersion(program, childEnvironment(env), signal)
  if (installed === undefined) throw browserError('VID_BROWSER_DOWNLOAD_STARTS_NOT', { url, said })
  if (installed !== version) {
    const reason = `it is version ${installed}, and should be ${version}`
    throw browserError('VID_BROWSER_DOWNLOAD_UNFIT', { url, reason })
  }
}

const place = async (files: string, folder: string): Promise<void> => {
  try {
    await rm(folder, { recursive: true, force: true })
    await rename(files, folder)
  } catch (cause) {
    // Another process has installed the same browser in the meantime.
    if (await readUnpackedManifest(folder)) return
    throw cause
  }
}

const download = async (
  download: BrowserDownload,
  folder: string,
  cacheDir: string,
  options: InstallOptions & FetchRules,
) => {
  const { machine = process, signal } = options
  await removeAbandoned(cacheDir, TEMP_MARK)
  const temp = await makeScratchFolder(cacheDir, TEMP_MARK)
  const zip = join(temp, 'browser.zip')
  const files = join(temp, 'files')
  try {
    if (!(await runsPrograms(temp)))
      throw browserError('VID_BROWSER_NOT_EXECUTABLE', { folder: cacheDir, reason: RUNS_NO_PROGRAMS })
    await fetchZip(download.url, zip, { ...options, sha256: download.sha256 })
    await unpack(zip, files, download.url, signal)
    const program = join(files, programName(machine.platform))
    await chmod(program, 0o700).catch((cause: unknown) => {
      const reason = `it has no ${programName(machine.platform)}`
      throw browserError('VID_BROWSER_DOWNLOAD_UNFIT', { url: download.url, reason }, { cause })
    })
    // A program of another system cannot be started, and one of Windows does not print its version.
    if (machine.platform === process.platform && process.platform !== 'win32') await prove(program, download, options)
    await writeManifest(files, download.version)
    signal.throwIfAborted()
    await place(files, folder)
  } finally {
    await rm(temp, { recursive: true, force: true })
  }
}

/** Downloads the headless shell of Chrome for Testing into the cache folder, unless a complete one exists. */
export const installBrowser = async (options: InstallOptions): Promise<InstalledBrowser> => {
  const { env, machine = process } = options
  const mirror = mirrorOf(env)
  const cacheDir = await openCacheDir(env, options.cacheDir)
  const rules = { ...options, mirror }
  const address = indexAddress(mirror)
  const text = await fetchText(address, rules)
  let offer: BrowserDownload
  try {
    offer = chooseDownload(text, machine, mirror)
  } catch (cause) {
    if (!(cause instanceof Error) || 'code' in cause) throw cause
    throw browserError('VID_BROWSER_DOWNLOAD_UNFIT', { url: address, reason: describeCause(cause) }, { cause })
  }
  const { version, url } = offer
  const folder = join(cacheDir, downloadedName(version))
  const isThere = (await readUnpackedManifest(folder, true)) !== undefined
  if (!isThere) await download(offer, folder, cacheDir, rules)
  return { path: join(folder, programName(machine.platform)), version, url, fresh: !isThere }
}
