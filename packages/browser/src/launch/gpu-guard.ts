import { describeCause, type VidError } from '@vid/kernel'
import { isProcessAlive } from '@vid/system'
import { captureFailure } from '../capture-errors.ts'
import type { Browser } from './browser.ts'
import type { GpuBackend } from './gpu-backend.ts'
import { gpuProcess, readGpu } from './gpu-report.ts'

/** A GPU that has been proven to draw as it should. */
export interface Gpu {
  readonly backend: GpuBackend
  /** Vendor, renderer and driver, in one line, as a plan has them. */
  readonly name: string
}

/** Tells whether a browser still draws on the GPU on which it began. */
export interface GpuGuard {
  /** Why what was drawn so far cannot be relied on; undefined when it can. Rejects when the browser does not say. */
  loss(): Promise<VidError | undefined>
  close(): Promise<void>
}

/** Interval at which the process that draws is checked, in milliseconds: what waits for an ended one waits long. */
const CHECK_MS = 500

/**
 * Makes sure that a browser draws on a GPU, since one whose driver fails goes on without it, and watches that it does: a
 * process that draws in the place of an ended one has none of the pictures that were drawn.
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
      // A browser that does not answer is reported by what waits for its pages.
      .catch(() => undefined)
      .finally(() => {
        isChecking = false
      })
  }
  const timer = setInterval(check, CHECK_MS)
  timer.unref()
  return { loss, close: async () => clearInterval(timer) }
}
