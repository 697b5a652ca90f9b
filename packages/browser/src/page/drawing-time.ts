import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** How long drawing is observed before it is said to go on, in milliseconds. */
const OBSERVED_MS = 1_000

/** Clock ticks, of a hundredth of a second, that a process uses meanwhile which draws, also on a busy machine. */
const DRAWING_TICKS = 5

interface ProcessTime {
  readonly pid: number
  readonly parent: number
  /** CPU time so far, in clock ticks. */
  readonly ticks: number
}

const readProcess = async (pid: number): Promise<ProcessTime | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name before the last parenthesis may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number)
  return stat === '' ? undefined : { pid, parent: parent ?? 0, ticks: (user ?? 0) + (system ?? 0) }
}

/** The processes below one, from /proc; empty on other systems than Linux. */
const processesBelow = async (root: number): Promise<ProcessTime[]> => {
  const names = await readdir('/proc').catch(() => [])
  const numbers = names.filter((name) => /^\d+$/.test(name)).map(Number)
  const all = (await Promise.all(numbers.map(readProcess))).filter((each) => each !== undefined)
  const below = (parent: number): ProcessTime[] =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)])
  return below(root)
}

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
