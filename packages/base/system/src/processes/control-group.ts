import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Reads a file; undefined if it does not exist. */
export type ReadText = (path: string) => string | undefined

const readText: ReadText = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // No control groups, or another version of them.
  }
}

/** Where each version keeps what it limits and counts of processors and memory. */
const HIERARCHIES = [
  { controllers: '', mounts: ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'] },
  { controllers: 'cpu', mounts: ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup/cpu,cpuacct'] },
  { controllers: 'cpuacct', mounts: ['/sys/fs/cgroup/cpuacct', '/sys/fs/cgroup/cpu,cpuacct'] },
  { controllers: 'memory', mounts: ['/sys/fs/cgroup/memory'] },
] as const

/** A path and those above it, up to the root. */
const withParents = (path: string): string[] => (path === '/' ? [path] : [path, ...withParents(dirname(path))])

/**
 * The folders of the groups that this process is in, the innermost first. Inside a container the root is often that of
 * the container, whatever path the machine has for it.
 */
const groupFolders = (read: ReadText): string[] =>
  (read('/proc/self/cgroup') ?? '0::/').split('\n').flatMap((line) => {
    const [, , controllers, path] = /^(\d+):([^:]*):(\/.*)$/.exec(line) ?? []
    if (controllers === undefined || path === undefined) return []
    const names = controllers.split(',')
    const mounts = HIERARCHIES.filter((hierarchy) => names.includes(hierarchy.controllers)).flatMap(
      (hierarchy) => hierarchy.mounts,
    )
    return withParents(path).flatMap((group) => mounts.map((mount) => join(mount, group)))
  })

/** The files of a group, of versions 2 and 1. */
const coresOf = (folder: string, read: ReadText): number | undefined => {
  const [quota, period] = read(join(folder, 'cpu.max'))?.trim().split(/\s+/) ?? []
  const both = period === undefined ? ['cpu.cfs_quota_us', 'cpu.cfs_period_us'] : undefined
  const [limit, periodMicros] = both?.map((name) => Number(read(join(folder, name)) ?? Number.NaN)) ?? [
    Number(quota),
    Number(period),
  ]
  // Without a limit, the first is "max" or negative.
  return limit !== undefined && periodMicros !== undefined && limit > 0 && periodMicros > 0
    ? limit / periodMicros
    : undefined
}

/** The lowest CPU limit of the groups that this process is in, in cores; undefined without one. */
export const groupCores = (read: ReadText = readText): number | undefined => {
  const limits = groupFolders(read).flatMap((folder) => coresOf(folder, read) ?? [])
  return limits.length > 0 ? Math.min(...limits) : undefined
}

/** CPU time that the innermost group of this process has used, in milliseconds; undefined where that is not counted. */
export const groupCpuMs = (read: ReadText = readText): number | undefined => {
  for (const folder of groupFolders(read)) {
    const micros = /^usage_usec (\d+)$/m.exec(read(join(folder, 'cpu.stat')) ?? '')?.[1]
    if (micros !== undefined) return Number(micros) / 1e3
    const nanos = read(join(folder, 'cpuacct.usage'))
    if (nanos !== undefined) return Number(nanos) / 1e6
  }
  return undefined
}

/** Processes of the innermost group that the system has ended for lack of memory; undefined where that is not counted. */
export const groupMemoryKills = (read: ReadText = readText): number | undefined => {
  for (const folder of groupFolders(read))
    for (const file of ['memory.events', 'memory.oom_control']) {
      const kills = /^oom_kill (\d+)$/m.exec(read(join(folder, file)) ?? '')?.[1]
      if (kills !== undefined) return Number(kills)
    }
  return undefined
}
