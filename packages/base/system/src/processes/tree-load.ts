import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { processesBelow } from './process-tree.ts'

/** How the time between two looks at this process and those below it was spent. */
export interface TreeLoad {
  /** Share in which a thread ran, or waited for a processor or a disk; 0 when all of them slept. */
  readonly busy: number
  /** Share in which none of them was kept waiting by the machine; 1 on an idle one. */
  readonly served: number
}

interface ThreadTimes {
  readonly ranNs: number
  readonly waitedNs: number
}

/** Where the system counts neither waiting nor load: a load cannot be told from a hang, so the limits are long. */
const UNKNOWN: TreeLoad = { busy: 0, served: 1 / 4 }

/** What is known of a thread: times from /proc, where Linux counts them. */
const timesOf = async (task: string): Promise<ThreadTimes | undefined> => {
  const text = await readFile(`${task}/schedstat`, 'utf8').catch(() => '')
  const [ranNs = Number.NaN, waitedNs = Number.NaN] = text.split(' ').map(Number)
  return Number.isFinite(ranNs) && Number.isFinite(waitedNs) ? { ranNs, waitedNs } : undefined
}

/** Whether a thread waits for a processor or a disk now; its times only count waits that have ended. */
const isWaiting = async (task: string): Promise<boolean> => {
  const stat = await readFile(`${task}/stat`, 'utf8').catch(() => '')
  return /^[RD] /.test(stat.slice(stat.lastIndexOf(')') + 2))
}

const tasksOf = async (pid: number): Promise<string[]> => {
  const folder = `/proc/${pid}/task`
  return (await readdir(folder).catch(() => [])).map((id) => `${folder}/${id}`)
}

/** Shares from the times in which threads ran and waited, in milliseconds, of a time that passed. */
export const loadOf = (ranMs: number, waitedMs: number, passedMs: number): TreeLoad => {
  const all = ranMs + waitedMs
  const busy = passedMs > 0 ? Math.min(1, all / passedMs) : 0
  return { busy, served: all > 0 ? 1 - busy * (waitedMs / all) : 1 }
}

/** How many programs share a processor, at least one: by how much the machine is slower than an idle one. */
export const machineCrowding = (): number => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())

/** The load of a machine as a whole, where waiting is not counted for each thread. */
const machineLoad = (): TreeLoad =>
  process.platform === 'win32' ? UNKNOWN : { busy: 0, served: 1 / machineCrowding() }

/** What the threads of this process and of all below it had done at a moment. */
export interface TreeTimes {
  readonly atMs: number
  readonly threads: ReadonlyMap<string, ThreadTimes>
  /** Threads that had done nothing since the moment before, and waited for a processor or a disk. */
  readonly waiting: ReadonlySet<string>
}

const readThreads = async (before: TreeTimes | undefined): Promise<TreeTimes> => {
  const pids = [process.pid, ...(await processesBelow(process.pid)).map(({ pid }) => pid)]
  const tasks = (await Promise.all(pids.map(tasksOf))).flat()
  const atMs = performance.now()
  const threads = new Map<string, ThreadTimes>()
  const waiting = new Set<string>()
  const look = async (task: string) => {
    const times = await timesOf(task)
    if (!times) return
    threads.set(task, times)
    const last = before?.threads.get(task)
    const isUnchanged = last?.ranNs === times.ranNs && last.waitedNs === times.waitedNs
    if (isUnchanged && (await isWaiting(task))) waiting.add(task)
  }
  await Promise.all(tasks.map(look))
  return { atMs, threads, waiting }
}

/** Time for which those who look share what one of them has read. */
const SHARED_MS = 500

let latest: { readonly atMs: number; readonly times: Promise<TreeTimes> } | undefined

/** Reads the times of this process and all below it, unless another has just done so. */
export const readTreeTimes = (): Promise<TreeTimes> => {
  const atMs = performance.now()
  if (latest && atMs - latest.atMs < SHARED_MS) return latest.times
  const before = latest?.times ?? Promise.resolve(undefined)
  latest = { atMs, times: before.then(readThreads) }
  return latest.times
}

/** The load between two moments, and the milliseconds between them. */
export const loadBetween = (before: TreeTimes, now: TreeTimes): TreeLoad & { readonly passedMs: number } => {
  const passedMs = now.atMs - before.atMs
  if (now.threads.size === 0) return { passedMs, ...machineLoad() }
  let ranMs = 0
  let waitedMs = 0
  for (const [task, times] of now.threads) {
    // All that a new thread has done fell into this time.
    const last = before.threads.get(task) ?? { ranNs: 0, waitedNs: 0 }
    const waited = (times.waitedNs - last.waitedNs) / 1e6
    ranMs += (times.ranNs - last.ranNs) / 1e6
    waitedMs += waited === 0 && times.ranNs === last.ranNs && now.waiting.has(task) ? passedMs : waited
  }
  return { passedMs, ...loadOf(ranMs, waitedMs, passedMs) }
}
