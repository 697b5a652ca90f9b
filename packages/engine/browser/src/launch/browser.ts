import { setMaxListeners } from 'node:events'
import { dirname, join } from 'node:path'
import { describeCause, isVidError } from '@vid/protocol'
import { afterServed, wantsWindow, withinServed } from '@vid/system'
import { captureFailure } from '../capture-errors.ts'
import type { BrowserLaunch, DrivenBrowser, DrivenPage, PageDriver } from '../driver/cdp.ts'
import { EXIT_MS, orAborted } from '../driver/deadline.ts'
import { isPortable, type PortableDriver, type PortablePage } from '../driver/portable-driver.ts'
import { type EgressProxy, openEgressProxy } from '../network/egress-proxy.ts'
import { proveEgressProxy } from '../network/proxy-proof.ts'
import { type Shortage, watchShortage } from '../shortage.ts'
import type { BrowserExecutable } from './find.ts'
import { firefoxArguments, firefoxVariables, writeFirefoxProfile } from './firefox.ts'
import { launchFlags } from './flags.ts'
import { type GpuBackend, gpuVariables } from './gpu-backend.ts'
import { readMachine } from './machine.ts'
import { createProfile } from './profile.ts'
import type { Raster } from './raster-level.ts'
import { type Confinement, confineBrowser, type SandboxMode, withoutSandbox } from './sandbox.ts'

/** How a browser is started; pages with equal options can share one. */
export interface BrowserOptions {
  readonly driver: PageDriver | PortableDriver
  readonly executable: BrowserExecutable
  readonly frameControl: boolean
  /** By default `auto`. */
  readonly sandboxMode?: SandboxMode
  readonly width: number
  readonly height: number
  /** Pixels of the picture for each CSS pixel; default 1. */
  readonly scale?: number
  /** The graphics backend of the GPU; if left out, the processor draws. */
  readonly gpu?: GpuBackend
  /** By default `portable`. */
  readonly raster?: Raster
  readonly signal: AbortSignal
}

/** A running browser that owns its process and its profile folder. */
export interface Browser {
  readonly pid: number
  /** Commands to the browser itself, if its driver supports them. */
  readonly port?: DrivenBrowser['port']
  /** Absolute folder of the profile. */
  readonly profile: string
  /** The egress proxy of its pages. */
  readonly egress: Pick<EgressProxy, 'address' | 'admit'>
  /** The reason why pages run without a sandbox although it was not turned off. */
  readonly sandboxMissing?: string | undefined
  /** What the machine lacks now, of what this browser needs. */
  shortage(): Shortage
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
    : captureFailure('VID_CAPTURE_ABORTED', { reason: describeCause(signal.reason) }, { cause: signal.reason })

/** The reason why a browser has ended; undefined if it still runs. */
const reasonOfEnd = (failure: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    const cancel = afterServed(EXIT_MS, () => resolve(undefined))
    const report = () => {
      cancel()
      resolve(failure.reason)
    }
    if (failure.aborted) report()
    else failure.addEventListener('abort', report, { once: true })
  })

/**
 * Chromium's message if its sandbox cannot start: without namespaces, or in one that does not allow it to change the
 * root.
 */
const SANDBOX_FAILED = /sandbox|namespace|chroot/i

/** Describes the exit of a process that was killed from outside, whatever it printed before. */
const KILLED = /^it ended with SIG(KILL|TERM|INT|HUP)\b/

interface Launched {
  readonly driven: DrivenBrowser<DrivenPage | PortablePage>
  readonly sandboxMissing: string | undefined
}

/**
 * Variables that confine a browser to its profile folder: it does not use the user's home, and files of its shared
 * memory go with the folder if it is killed before it has unlinked them.
 */
const profileVariables = (profile: string): Record<string, string> => ({
  HOME: profile,
  TMPDIR: profile,
  TEMP: profile,
  TMP: profile,
  XDG_CACHE_HOME: join(profile, 'cache'),
  XDG_CONFIG_HOME: join(profile, 'config'),
})

/** The command line and variables of a browser; prepares its profile folder. */
const launchOf = async (
  options: BrowserOptions,
  profile: string,
  proxy: string,
  { sandbox, prefix }: Confinement,
): Promise<BrowserLaunch> => {
  const { executable, gpu, signal } = options
  const { path, kind } = executable
  const env = { ...(gpu && gpuVariables()), ...executable.env, ...profileVariables(profile) }
  if (kind === 'firefox') {
    await writeFirefoxProfile(profile)
    return { executable: path, env: { ...env, ...firefoxVariables }, args: firefoxArguments(profile), signal }
  }
  const headed = wantsWindow()
  const machine = { ...readMachine(), sandbox }
  const flags = launchFlags({ ...options, kind, headed, proxy }, machine)
  const [program = path, ...args] = [...prefix, path, ...flags, `--user-data-dir=${profile}`]
  return { executable: program, env, args, signal }
}

/** Starts a browser; if its sandbox does not start although the machine has namespaces, starts it without one. */
const launchConfined = async (options: BrowserOptions, profile: string, egress: EgressProxy): Promise<Launched> => {
  const { driver, executable, signal, sandboxMode = 'auto' } = options
  const start = async (confinement: Confinement): Promise<Launched> => {
    const launch = await launchOf(options, profile, egress.address, confinement)
    return {
      driven: await launchGuarded(driver, launch, egress, executable.path),
      sandboxMissing: confinement.missing,
    }
  }
  const confinement = confineBrowser(sandboxMode, executable.kind)
  try {
    return await start(confinement)
  } catch (cause) {
    const detail = describeCause(cause)
    const hasNoSandbox = SANDBOX_FAILED.test(detail) && !KILLED.test(detail)
    if (!confinement.sandbox || signal.aborted || isVidError(cause) || !hasNoSandbox) throw cause
    return start(withoutSandbox(sandboxMode, detail.replace(/\s+/g, ' ')))
  }
}

/** Served time in which a browser must have started: one that starts for the first time reads hundreds of megabytes. */
const START_MS = 120_000

/** Launches a browser. If the driver sets the proxy, the browser is tested for bypassing it. */
const launchGuarded = async (
  driver: BrowserOptions['driver'],
  launch: BrowserLaunch,
  egress: EgressProxy,
  executable: string,
): Promise<Launched['driven']> => {
  const late = () => new Error(`it did not answer within ${START_MS / 1000} s`)
  const limits = { signal: launch.signal, late }
  if (!isPortable(driver)) return withinServed(START_MS, (signal) => driver.launch({ ...launch, signal }), limits)
  const driven = await withinServed(START_MS, (signal) => driver.launch({ ...launch, signal }), limits)
  try {
    await proveEgressProxy(() => driven.newPage(), egress, executable, launch.signal)
    return driven
  } catch (thrown) {
    await driven.close()
    throw thrown
  }
}

/** Starts a browser with a separate profile. */
export const openBrowser = async (options: BrowserOptions): Promise<Browser> => {
  const { executable, signal } = options
  if (signal.aborted) throw abortedBy(signal)
  const [profile, egress] = await Promise.all([createProfile(), openEgressProxy()])
  const cleanUp = () => Promise.all([profile.remove(), egress.close()])
  const end = new AbortController()
  setMaxListeners(0, end.signal)
  let launched: Launched
  try {
    launched = await launchConfined(options, profile.path, egress).catch(async (cause: unknown) => {
      if (signal.aborted || isVidError(cause) || !(await executable.repair?.())) throw cause
      return launchConfined(options, profile.path, egress)
    })
  } catch (cause) {
    await cleanUp()
    if (signal.aborted) throw abortedBy(signal)
    if (isVidError(cause)) throw cause
    throw captureFailure('VID_BROWSER_LAUNCH', { executable: executable.path, detail: describeCause(cause) }, { cause })
  }
  const { driven, sandboxMissing } = launched
  const shortage = watchShortage(profile.path, dirname(profile.path))
  const stop = () => end.abort(abortedBy(signal))
  driven.onExit((exit) => end.abort(captureFailure('VID_BROWSER_CRASHED', { ...exit, shortage: shortage() })))
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
    ...(driven.port && { port: driven.port }),
    profile: profile.path,
    egress,
    shortage,
    sandboxMissing,
    failure: end.signal,
    newPage: () =>
      orAborted(driven.newPage(), end.signal).catch(async (thrown: unknown) => {
        const reason = await reasonOfEnd(end.signal)
        if (reason !== undefined || isVidError(thrown)) throw reason ?? thrown
        const detail = describeCause(thrown)
        throw captureFailure('VID_BROWSER_PROTOCOL', { method: 'a new page', detail }, { cause: thrown })
      }),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
