import { describeCause, type VidError } from '@vid/protocol'
import { isProcessAlive } from '@vid/system'
import { captureFailure } from '../capture-errors.ts'
import type { Browser } from './browser.ts'
import type { GpuBackend } from './gpu-backend.ts'
import { gpuProcess, readGpu } from './gpu-report.ts'

/** A GPU that has been tested to draw correctly. */
export interface Gpu {
  readonly backend: GpuBackend
  /** Vendor, renderer and driver, in one line, as in a plan. */
  readonly name: string
}

/** Checks that a browser still draws on the GPU on which it started. */
export interface GpuGuard {
  /**
   * The reason why the pictures so far are unreliable; undefined if they are reliable. Rejects if the browser does not
   * answer.
   */
  loss(): Promise<VidError | undefined>
  close(): Promise<void>
}

/** Interval of checks of the drawing process, in milliseconds, since waiting for an ended one takes long. */
const CHECK_MS = 500

/**
 * Verifies that a browser draws on a GPU, and keeps watching it: after a driver failure, a browser continues without
 * the GPU, and the drawing process that replaces an ended one has none of the earlier pictures.
 */
export const guardGpu = async (
  { port }: Pick<Browser, 'port'>,
  { backend, name }: Gpu,
  onLoss: (error: VidError) => void,
): Promise<GpuGuard> => {
  const lost = (reason: string) => captureFailure('VID_BROWSER_GPU_LOST', { gpu: name, reason })
  const gpu = await readGpu(port, backend)
  if (!port || 'reason' in gpu) throw lost('reason' in gpu ? gpu.reason : 'it has no name')
  if (gpu.name !== name) throw lost(`the browser now draws on ${gpu.name}`)
  const loss = async () => {
    const now = await gpuProcess(port).catch((cause: unknown) => {
      throw lost(describeCause(cause))
    })
    return now === gpu.process && isProcessAlive(now) ? undefined : lost('the process that draws on it ended')
  }
  let isChecking = false
  const check = () => {
    if (isChecking) return
    isChecking = true
    loss()
      .then((error) => error && onLoss(error))
      // The code that waits for its pages reports a browser that does not answer.
      .catch(() => undefined)
      .finally(() => {
        isChecking = false
      })
  }
  const timer = setInterval(check, CHECK_MS)
  timer.unref()
  return { loss, close: async () => clearInterval(timer) }
}
