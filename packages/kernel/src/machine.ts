import { totalmem } from 'node:os'

/** Memory that this process may use, in bytes: the machine's, or less when a control group says so. */
export const machineMemory = (): number => {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
