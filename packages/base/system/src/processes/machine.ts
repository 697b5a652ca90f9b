import { availableParallelism, totalmem } from 'node:os'
import { groupCores } from './control-group.ts'

/** Memory that this process may use, in bytes: the machine's, or less when a control group says so. */
export const machineMemory = (): number => {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/** Cores that this process may use: the machine's, or fewer when its affinity or a control group says so; may be a fraction. */
export const machineCores = (): number => {
  const cores = availableParallelism()
  return Math.min(groupCores() ?? cores, cores)
}

/** All that this process may use. */
export const wholeMachine = () => ({ cores: machineCores(), memoryBytes: machineMemory() })
