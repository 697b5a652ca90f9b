import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { machineCores } from '@vid/kernel'
import { type Load, loadOfShare } from './workers.ts'

/** CPU time that this control group has used, in microseconds; undefined without one. */
const groupMicros = (): number | undefined => {
  try {
    const micros = /^usage_usec (\d+)$/m.exec(readFileSync('/sys/fs/cgroup/cpu.stat', 'utf8'))?.[1]
    return micros === undefined ? undefined : Number(micros)
  } catch {
    return undefined
  }
}

/** Idle and total CPU time since boot in milliseconds, summed over all cores. */
const machineTimes = () => {
  const all = cpus().map(({ times }) => times)
  const idle = all.reduce((sum, times) => sum + times.idle, 0)
  return { idle, total: all.reduce((sum, each) => sum + Object.values(each).reduce((a, b) => a + b, 0), 0) }
}

/** Starts a load measurement of a share of the cores; each reading covers the time since this call. */
export const measureLoad = (share: number): (() => Load) => {
  const cores = machineCores()
  const [startMs, before, used] = [performance.now(), machineTimes(), groupMicros()]
  const read = (): Load => {
    const after = machineTimes()
    const total = after.total - before.total
    const ofMachine = total > 0 ? cores * (1 - (after.idle - before.idle) / total) : cores
    if (cores >= cpus().length) return { cores, busy: ofMachine }
    // In a container with fewer cores than the machine, the machine's load says nothing about these cores.
    const micros = groupMicros()
    if (used === undefined || micros === undefined) return { cores, busy: ofMachine }
    return { cores, busy: Math.min(cores, (micros - used) / 1000 / (performance.now() - startMs)) }
  }
  return () => loadOfShare(read(), share)
}
