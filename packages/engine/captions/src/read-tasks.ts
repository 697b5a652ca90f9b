export { plannedCaptionsTask } from './composition/planned-captions.ts'
export { type CueBlocks, cueBlocksTask } from './text/cue-blocks.ts'
