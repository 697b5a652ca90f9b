export { segmentShape } from './entry.ts'
export { createInputCheck, type InputCheck } from './input-check.ts'
export { segmentReuse } from './segment-reuse.ts'
export { reuseWarnings } from './warnings.ts'
