export { plannedCaptionsTask } from './composition/planned-captions.ts'
