import { type ReadInput, readTasksOf } from '@vid/kernel'
import type { CaptionProblem } from '../model/cue.ts'
import { readVtt } from './read-vtt.ts'
import { writeVttCue } from './write-vtt.ts'

/** The cues of a WebVTT text in their order, each as another WebVTT text takes it over. */
export interface CueBlocks {
  /** Seconds. */
  readonly starts: Float64Array
  readonly ends: Float64Array
  readonly blocks: readonly string[]
}

/** A WebVTT text of a composition. */
export interface VttInput extends ReadInput {
  readonly vtt: string
}

const readCueBlocks = async ({ vtt }: VttInput): Promise<CueBlocks | { readonly problem: CaptionProblem }> => {
  const result = readVtt(vtt)
  if ('problem' in result) return result
  const { cues } = result.captions
  return {
    starts: Float64Array.from(cues, ({ start }) => start),
    ends: Float64Array.from(cues, ({ end }) => end),
    blocks: cues.map(writeVttCue),
  }
}

const define = readTasksOf(import.meta.url)

/** Divides a WebVTT text into its cues. */
export const cueBlocksTask = define('cueBlocksTask', readCueBlocks)
