import { setMaxListeners } from 'node:events'
import { describeCause, isVidError, wantsWindow } from '@vid/kernel'
import { captureFailure } from '../capture-errors.ts'
import { type EgressProxy, openEgressProxy } from '../network/egress-proxy.ts'
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
  /** What all traffic of its pages goes through. */
  readonly egress: Pick<EgressProxy, 'address' | 'admit'>
  /** Aborts with a coded error when the process ends, or with the render. */
  readonly failure: AbortSignal
  newPage(): Promise<DrivenPage | PortablePage>
  /** Ends the process, then its proxy, and removes its profile folder. */
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
const launchOf = async (options: BrowserOptions, profile: string, proxy: string): Promise<BrowserLaunch> => {
  const { executable, signal } = options
  const { path, env, kind } = executable
  if (kind === 'firefox') {
    await writeFirefoxProfile(profile)
    const all = { ...env, ...firefoxVariables(profile) }
    return { executable: path, env: all, args: firefoxArguments(profile), signal }
  }
  const headed = wantsWindow()
  const flags = launchFlags({ ...options, kind, headed, gpu: false, proxy })
  return { executable: path, env, args: [...flags, `--user-data-dir=${profile}`], signal }
}

/** Launches a browser. One whose proxy its driver sets must prove that its pages cannot bypass it. */
const launchGuarded = async (
  driver: BrowserOptions['driver'],
  launch: BrowserLaunch,
  egress: EgressProxy,
): Promise<DrivenBrowser<DrivenPage | PortablePage>> => {
  if (!isPortable(driver)) return driver.launch(launch)
  const driven = await driver.launch(launch)
  try {
    await proveEgressProxy(() => driven.newPage(), egress, launch.executable, launch.signal)
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
  const [profile, egress] = await Promise.all([createProfile(), openEgressProxy()])
  const cleanUp = () => Promise.all([profile.remove(), egress.close()])
  const end = new AbortController()
  setMaxListeners(0, end.signal)
  let driven: DrivenBrowser<DrivenPage | PortablePage>
  try {
    driven = await launchGuarded(driver, await launchOf(options, profile.path, egress.address), egress)
  } catch (cause) {
    await cleanUp()
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
    await cleanUp()
  }
  return {
    pid: driven.pid,
    profile: profile.path,
    egress,
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
