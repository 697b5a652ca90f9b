export { segmentReuse as default } from './segment-reuse.ts'
export { reuseWarnings } from './warnings.ts'
