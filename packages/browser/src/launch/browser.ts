import { setMaxListeners } from 'node:events'
import { describeCause, isVidError, wantsWindow } from '@vid/kernel'
import { captureFailure } from '../capture-errors.ts'
import { proveGate } from '../network/proxy-proof.ts'
import type { BrowserLaunch, DrivenBrowser, DrivenPage, PageDriver } from '../page/cdp.ts'
import { orAborted } from '../page/deadline.ts'
import { isPortable, type PortableDriver, type PortablePage } from '../portable/portable-driver.ts'
import type { BrowserExecutable } from './find.ts'
import { firefoxArguments, firefoxVariables, writeFirefoxProfile } from './firefox.ts'
import { launchFlags } from './flags.ts'
import { createProfile } from './profile.ts'

/** What decides how a browser is started; pages that agree in it can share one. */
export interface BrowserOptions {
  readonly driver: PageDriver | PortableDriver
  readonly executable: BrowserExecutable
  readonly frameControl: boolean
  readonly elementRaster?: boolean
  readonly width: number
  readonly height: number
  readonly signal: AbortSignal
}

/** A running browser that owns its process and its profile folder. */
export interface Browser {
  readonly pid: number
  /** Absolute folder of the profile. */
  readonly profile: string
  /** Aborts with a coded error when the process ends, or with the render. */
  readonly failure: AbortSignal
  newPage(): Promise<DrivenPage | PortablePage>
  /** Ends the process, then removes its profile folder. */
  close(): Promise<void>
}

/** The coded error of an aborted signal. */
export const abortedBy = (signal: AbortSignal) =>
  isVidError(signal.reason)
    ? signal.reason
    : captureFailure(
        'VID_CAPTURE_ABORTED',
        { reason: describeCause(signal.reason) },
        { cause: signal.reason },
      )

/** The connection breaks a moment before the process is known to be gone. */
export const EXIT_MS = 1_000

/** Why a browser has ended; undefined when it goes on. */
const reasonOfEnd = (failure: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), EXIT_MS)
    const tell = () => {
      clearTimeout(timer)
      resolve(failure.reason)
    }
    if (failure.aborted) tell()
    else failure.addEventListener('abort', tell, { once: true })
  })

/** What a browser is started with, in a profile folder that is made ready for it. */
const launchOf = async (options: BrowserOptions, profile: string): Promise<BrowserLaunch> => {
  const { executable, signal } = options
  const { path, env, kind } = executable
  if (kind === 'firefox') {
    await writeFirefoxProfile(profile)
    const all = { ...env, ...firefoxVariables(profile) }
    return { executable: path, env: all, args: firefoxArguments(profile), signal }
  }
  const headed = wantsWindow()
  const flags = launchFlags({ ...options, kind, headed, gpu: false, gated: isPortable(options.driver) })
  return { executable: path, env, args: [...flags, `--user-data-dir=${profile}`], signal }
}

/** Launches a browser; one whose pages are guarded by the gate alone must prove that it keeps to it. */
const launchGuarded = async (
  driver: BrowserOptions['driver'],
  launch: BrowserLaunch,
): Promise<DrivenBrowser<DrivenPage | PortablePage>> => {
  if (!isPortable(driver)) return driver.launch(launch)
  const driven = await driver.launch(launch)
  try {
    await proveGate(() => driven.newPage(), launch.executable, launch.signal)
    return driven
  } catch (thrown) {
    await driven.close()
    throw thrown
  }
}

/** Starts a browser with a profile of its own. */
export const openBrowser = async (options: BrowserOptions): Promise<Browser> => {
  const { driver, executable, signal } = options
  if (signal.aborted) throw abortedBy(signal)
  const profile = await createProfile()
  const end = new AbortController()
  setMaxListeners(0, end.signal)
  let driven: DrivenBrowser<DrivenPage | PortablePage>
  try {
    driven = await launchGuarded(driver, await launchOf(options, profile.path))
  } catch (cause) {
    await profile.remove()
    if (signal.aborted) throw abortedBy(signal)
    if (isVidError(cause)) throw cause
    throw captureFailure(
      'VID_BROWSER_LAUNCH',
      { executable: executable.path, detail: describeCause(cause) },
      { cause },
    )
  }
  const stop = () => end.abort(abortedBy(signal))
  driven.onExit((exit) => end.abort(captureFailure('VID_BROWSER_CRASHED', exit)))
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })

  let closing: Promise<void> | undefined
  const close = async () => {
    signal.removeEventListener('abort', stop)
    end.abort(captureFailure('VID_CAPTURE_ABORTED', { reason: 'the session was closed' }))
    await driven.close()
    await profile.remove()
  }
  return {
    pid: driven.pid,
    profile: profile.path,
    failure: end.signal,
    newPage: () =>
      orAborted(driven.newPage(), end.signal).catch(async (thrown: unknown) => {
        throw (await reasonOfEnd(end.signal)) ?? thrown
      }),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
