import { createPool } from '@vid/kernel'
import { describeCause } from '@vid/protocol'
import { orAborted } from '../driver/deadline.ts'
import { isPortable } from '../driver/portable-driver.ts'
import { leaseBrowser } from '../launch/browser-lease.ts'
import { backendsOf, type GpuBackend } from '../launch/gpu-backend.ts'
import type { Gpu } from '../launch/gpu-guard.ts'
import { readGpu } from '../launch/gpu-report.ts'
import { type ProofBrowser, proveGpu } from './gpu-proof.ts'
import { KNOWN_HEIGHT, KNOWN_WIDTH } from './known-page.ts'

/** A failed attempt to use a GPU, with the reason. */
export interface GpuTried {
  readonly backend: GpuBackend
  readonly reason: string
}

/** A GPU that draws correctly, with its lowest similarity to the processor in dB, or the reason why none does. */
export type GpuFound =
  | { readonly gpu: Gpu; readonly psnr: number; readonly tried?: undefined }
  | { readonly gpu?: undefined; readonly psnr?: undefined; readonly tried: readonly GpuTried[] }

/** Starts a browser with a graphics backend and reads its GPU. */
const nameOf = async (browser: ProofBrowser, backend: GpuBackend) => {
  const pool = createPool()
  try {
    const size = { width: KNOWN_WIDTH, height: KNOWN_HEIGHT }
    const leased = await leaseBrowser(pool, { ...browser, ...size, frameControl: false, gpu: backend })
    const report = await readGpu(leased.port, backend)
    await leased.close()
    return report
  } finally {
    await pool.close()
  }
}

const tryBackend = async (browser: ProofBrowser, backend: GpuBackend): Promise<GpuFound | GpuTried> => {
  try {
    const report = await nameOf(browser, backend)
    if ('reason' in report) return { backend, reason: report.reason }
    const gpu = { backend, name: report.name }
    const proof = await proveGpu(browser, gpu)
    return 'psnr' in proof ? { gpu, ...proof } : { backend, reason: `${report.name}: ${proof.reason}` }
  } catch (cause) {
    browser.signal.throwIfAborted()
    return { backend, reason: describeCause(cause) }
  }
}

const search = async (browser: ProofBrowser, backends: readonly GpuBackend[]): Promise<GpuFound> => {
  const tried: GpuTried[] = []
  for (const backend of backends) {
    const attempt = await tryBackend(browser, backend)
    if (!('reason' in attempt)) return attempt
    tried.push(attempt)
  }
  return { tried }
}

/**
 * The results of this process, by driver and browser, since the GPU of a machine does not change. It only saves time.
 */
const results = new WeakMap<object, Map<string, Promise<GpuFound>>>()

/** Finds a GPU that draws a known page as the processor does, through one backend or the best of this system. */
export const findGpu = async (browser: ProofBrowser, backend?: GpuBackend): Promise<GpuFound> => {
  const { driver, executable, sandboxMode, signal } = browser
  const searches = results.get(driver) ?? new Map<string, Promise<GpuFound>>()
  results.set(driver, searches)
  const key = JSON.stringify([executable.path, executable.version, sandboxMode, backend])
  const backends = backend === undefined ? backendsOf(process.platform) : [backend]
  for (;;) {
    const running = searches.get(key)
    if (!running) {
      const started = search(browser, backends)
      searches.set(key, started)
      started.catch(() => searches.delete(key))
      return started
    }
    const gpu = await orAborted(running, signal).catch(() => undefined)
    signal.throwIfAborted()
    // The search of another render was aborted with that render.
    if (gpu) return gpu
  }
}

/** Lets the next render search for the GPU again, since it was lost. */
export const forgetGpu = (driver: ProofBrowser['driver']): void => void results.delete(driver)

/** Whether a driver can start browsers that draw on a GPU. */
export const canUseGpu = (driver: ProofBrowser['driver']): boolean => !isPortable(driver)
