import { setMaxListeners } from 'node:events'
import { describeCause, isVidError, wantsWindow } from '@vid/kernel'
import { captureFailure } from '../capture-errors.ts'
import { proveEgressProxy } from '../network/proxy-proof.ts'
import type { BrowserLaunch, DrivenBrowser, DrivenPage, PageDriver } from '../page/cdp.ts'
import { orAborted } from '../page/deadline.ts'
import { isPortable, type PortableDriver, type PortablePage } from '../portable/portable-driver.ts'
import type { BrowserExecutable } from './find.ts'
import { firefoxArguments, firefoxVariables, writeFirefoxProfile } from './firefox.ts'
import { launchFlags } from './flags.ts'
import { createProfile } from './profile.ts'

/** How a browser is started; pages with equal options can share one. */
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

/** Time to wait for a process's exit after its connection broke, in milliseconds. */
export const EXIT_MS = 1_000

/** Why a browser has ended; undefined when it still runs. */
const reasonOfEnd = (failure: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), EXIT_MS)
    const report = () => {
      clearTimeout(timer)
      resolve(failure.reason)
    }
    if (failure.aborted) report()
    else failure.addEventListener('abort', report, { once: true })
  })

/** The command line and variables of a browser; prepares its profile folder. */
const launchOf = async (options: BrowserOptions, profile: string): Promise<BrowserLaunch> => {
  const { executable, signal } = options
  const { path, env, kind } = executable
  if (kind === 'firefox') {
    await writeFirefoxProfile(profile)
    const all = { ...env, ...firefoxVariables(profile) }
    return { executable: path, env: all, args: firefoxArguments(profile), signal }
  }
  const headed = wantsWindow()
  const proxied = isPortable(options.driver)
  const flags = launchFlags({ ...options, kind, headed, gpu: false, proxied })
  return { executable: path, env, args: [...flags, `--user-data-dir=${profile}`], signal }
}

/** Launches a browser. One that only the egress proxy guards must prove that its pages cannot bypass it. */
const launchGuarded = async (
  driver: BrowserOptions['driver'],
  launch: BrowserLaunch,
): Promise<DrivenBrowser<DrivenPage | PortablePage>> => {
  if (!isPortable(driver)) return driver.launch(launch)
  const driven = await driver.launch(launch)
  try {
    await proveEgressProxy(() => driven.newPage(), launch.executable, launch.signal)
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
