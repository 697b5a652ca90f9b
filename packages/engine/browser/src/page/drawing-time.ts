import { readFile } from 'node:fs/promises'
import { afterServed, processesBelow } from '@vid/system'

/** Served time over which the CPU time of drawing is measured, in milliseconds. */
const OBSERVED_MS = 1_000

/** Clock ticks (1/100 s) that a drawing process uses at least in that time. */
const DRAWING_TICKS = 5

const isGpuProcess = async (pid: number): Promise<boolean> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('--type=gpu-process')

/** CPU time of a browser's drawing process, in clock ticks; undefined if it cannot be read. */
const drawingTicks = async (browser: number): Promise<number | undefined> => {
  for (const { pid, ticks } of await processesBelow(browser)) if (await isGpuProcess(pid)) return ticks
  return undefined
}

const observed = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const cancel = afterServed(OBSERVED_MS, resolve)
    const stop = () => {
      cancel()
      resolve()
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })

/**
 * Whether a browser's drawing process is busy. WebGL without a GPU may take long for a frame, and its page does not
 * answer meanwhile. A script that does not return draws nothing.
 */
export const isDrawing = async (browser: number, signal: AbortSignal): Promise<boolean> => {
  const before = await drawingTicks(browser)
  if (before === undefined) return false
  // Not a wait for an event: this is the duration of the measurement.
  await observed(signal)
  const after = await drawingTicks(browser)
  return after !== undefined && after - before >= DRAWING_TICKS
}
