import { isVidError } from './errors.ts'

/** What the system says when this machine lacks something or is broken, whatever file was read or written. */
const SYSTEM_CODES: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EROFS',
  'EIO',
  'ESTALE',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOBUFS',
  'EAGAIN',
])

const anyCause = (thrown: unknown, matches: (error: Error) => boolean): boolean => {
  for (let error = thrown; error instanceof Error; error = error.cause) if (matches(error)) return true
  return false
}

/** Whether an error, or one that caused it, is the system's: no space, no more open files, no memory, a broken disk. */
export const isSystemFault = (thrown: unknown): boolean =>
  anyCause(thrown, (error) => 'code' in error && SYSTEM_CODES.has(error.code))

/** Whether an error, or one that caused it, comes of the machine: it says nothing about what was being read. */
export const isMachineFault = (thrown: unknown): boolean =>
  isSystemFault(thrown) || anyCause(thrown, (error) => isVidError(error) && error.fault === 'machine')

/** Rethrows a fault of the machine; for a `catch` that takes any other error for a file that is not there. */
export const rethrowMachineFault = (thrown: unknown): undefined => {
  if (isMachineFault(thrown)) throw thrown
}
