export { readerErrors } from './errors.ts'
export { lintUploaded } from './lint-uploaded.ts'
export type { BoundedFindings } from './read-tasks.ts'
export { openReader, type Reader, type ReaderLimits } from './reader.ts'
