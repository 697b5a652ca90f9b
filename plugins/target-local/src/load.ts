import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { groupCores, groupCpuMs, machineCores } from '@vid/system'
import { type Load, loadOfShare } from './workers.ts'

/** The numbers in a list such as `0-3,8`. */
export const parseCpuList = (list: string): number[] =>
  list.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })

/** Whether this process may run on a processor, by its number; on every one where the system does not say. */
const readAffinity = (): ((cpu: number) => boolean) => {
  try {
    const [, list] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    if (list === undefined) return () => true
    const allowed = new Set(parseCpuList(list))
    return (cpu) => allowed.has(cpu)
  } catch {
    return () => true // Not Linux.
  }
}

/** Idle and total CPU time since boot in milliseconds, summed over the processors on which this process may run. */
const machineTimes = (isAllowed: (cpu: number) => boolean) => {
  const cpuTimes = cpus().flatMap(({ times }, cpu) => (isAllowed(cpu) ? [times] : []))
  const idle = cpuTimes.reduce((sum, times) => sum + times.idle, 0)
  return { idle, total: cpuTimes.reduce((sum, times) => sum + Object.values(times).reduce((a, b) => a + b, 0), 0) }
}

/** Starts a load measurement of a share of the cores; each reading covers the time since this call. */
export const measureLoad = (share: number): (() => Load) => {
  const cores = machineCores()
  const isAllowed = readAffinity()
  const startMs = performance.now()
  const start = machineTimes(isAllowed)
  const startCpuMs = groupCpuMs()
  const read = (): Load => {
    // If a control group has a limit, the load of the machine does not show how much of it is free.
    const now = groupCpuMs()
    if (groupCores() !== undefined && startCpuMs !== undefined && now !== undefined)
      return { cores, busy: Math.min(cores, (now - startCpuMs) / (performance.now() - startMs)) }
    const end = machineTimes(isAllowed)
    const total = end.total - start.total
    return { cores, busy: total > 0 ? cores * (1 - (end.idle - start.idle) / total) : cores }
  }
  return () => loadOfShare(read(), share)
}
