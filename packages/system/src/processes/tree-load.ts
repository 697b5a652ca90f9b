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

/** Looks at this process and all below it; each look resolves to their load since the one before. */
export const watchTree = (): (() => Promise<TreeLoad & { readonly passedMs: number }>) => {
  let before = new Map<string, ThreadTimes>()
  let beforeMs = performance.now()
  return async () => {
    const pids = [process.pid, ...(await processesBelow(process.pid)).map(({ pid }) => pid)]
    const tasks = (await Promise.all(pids.map(tasksOf))).flat()
    const nowMs = performance.now()
    const passedMs = nowMs - beforeMs
    const now = new Map<string, ThreadTimes>()
    let ranMs = 0
    let waitedMs = 0
    const look = async (task: string) => {
      const times = await timesOf(task)
      if (!times) return
      now.set(task, times)
      // What a new thread did before it was first seen fell into this time, unless it is the first look.
      const last = before.get(task) ?? (before.size > 0 ? { ranNs: 0, waitedNs: 0 } : times)
      const waited = (times.waitedNs - last.waitedNs) / 1e6
      ranMs += (times.ranNs - last.ranNs) / 1e6
      waitedMs += waited === 0 && times.ranNs === last.ranNs && (await isWaiting(task)) ? passedMs : waited
    }
    await Promise.all(tasks.map(look))
    before = now
    beforeMs = nowMs
    return { passedMs, ...(now.size > 0 ? loadOf(ranMs, waitedMs, passedMs) : machineLoad()) }
  }
}
