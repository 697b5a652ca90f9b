import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import type { MachineShare } from './contracts/targets.ts'

/** Memory that this process may use, in bytes: the machine's, or less when a control group says so. */
export const machineMemory = (): number => {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/** CPU limit of a control group, in cores: the files of its versions 2 and 1; undefined where there is no limit. */
const groupCores = (): number | undefined => {
  const read = (name: string) => readFileSync(`/sys/fs/cgroup/${name}`, 'utf8').trim()
  try {
    const [quota, period] = read('cpu.max').split(' ')
    return quota === 'max' ? undefined : Number(quota) / Number(period)
  } catch {
    // Version 1, or no control groups at all.
  }
  try {
    const quota = Number(read('cpu/cpu.cfs_quota_us'))
    return quota > 0 ? quota / Number(read('cpu/cpu.cfs_period_us')) : undefined
  } catch {
    return undefined
  }
}

/** Cores that this process may use: the machine's, or fewer when its affinity or a control group says so; may be a fraction. */
export const machineCores = (): number => {
  const limit = groupCores()
  const all = availableParallelism()
  return limit !== undefined && limit > 0 ? Math.min(limit, all) : all
}

/** All that this process may use. */
export const wholeMachine = (): MachineShare => ({ cores: machineCores(), memoryBytes: machineMemory() })
