export { plannedCaptionsTask } from './film/planned-captions.ts'
