import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { processesBelow } from '@vid/system'

/** How long drawing is observed before it is said to go on, in milliseconds. */
const OBSERVED_MS = 1_000

/** Clock ticks, of a hundredth of a second, that a process uses meanwhile which draws, also on a busy machine. */
const DRAWING_TICKS = 5

const isGpuProcess = async (pid: number): Promise<boolean> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('--type=gpu-process')

/** CPU time of the process that draws for a browser, in clock ticks; undefined where it cannot be known. */
const drawingTicks = async (browser: number): Promise<number | undefined> => {
  for (const { pid, ticks } of await processesBelow(browser)) if (await isGpuProcess(pid)) return ticks
  return undefined
}

/**
 * Whether the process that draws for a browser works: WebGL without a GPU may take long for a frame, and its page answers
 * nothing meanwhile. A script that does not return draws nothing.
 */
export const isDrawing = async (browser: number, signal: AbortSignal): Promise<boolean> => {
  const before = await drawingTicks(browser)
  if (before === undefined) return false
  // Not a wait for something to happen: this is how long the processor's time is measured.
  await wait(OBSERVED_MS, undefined, { signal }).catch(() => undefined)
  const after = await drawingTicks(browser)
  return after !== undefined && after - before >= DRAWING_TICKS
}
