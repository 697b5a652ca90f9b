import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { machineCores } from '@vid/kernel'
import type { Load } from './workers.ts'

/** Microseconds of all processors that this control group has used; undefined without one. */
const groupMicros = (): number | undefined => {
  try {
    const micros = /^usage_usec (\d+)$/m.exec(readFileSync('/sys/fs/cgroup/cpu.stat', 'utf8'))?.[1]
    return micros === undefined ? undefined : Number(micros)
  } catch {
    return undefined
  }
}

/** Milliseconds that the processors were idle so far, and all milliseconds, summed over them. */
const machineTimes = () => {
  const all = cpus().map(({ times }) => times)
  const idle = all.reduce((sum, times) => sum + times.idle, 0)
  return { idle, total: all.reduce((sum, each) => sum + Object.values(each).reduce((a, b) => a + b, 0), 0) }
}

/** Measures what the processors do from now on; each reading is of the time since then. */
export const measureLoad = (): (() => Load) => {
  const cores = machineCores()
  const [from, before, used] = [performance.now(), machineTimes(), groupMicros()]
  return () => {
    const after = machineTimes()
    const total = after.total - before.total
    const ofMachine = total > 0 ? cores * (1 - (after.idle - before.idle) / total) : cores
    if (cores >= cpus().length) return { cores, busy: ofMachine }
    // Others use the machine's cores too: those that this process was given may be busy while the rest idles.
    const micros = groupMicros()
    if (used === undefined || micros === undefined) return { cores, busy: ofMachine }
    return { cores, busy: Math.min(cores, (micros - used) / 1000 / (performance.now() - from)) }
  }
}
