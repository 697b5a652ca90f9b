import type { RenderPlan } from '@vid/protocol'
import type { Frame } from '../contracts/roles.ts'

type Sampled = Pick<RenderPlan, 'frames' | 'segments'>

/** Part of a video's frames that its check decodes at most: it takes a hundredth of the time of their capture. */
const DECODED_SHARE = 1 / 20

/** Frames that are decoded in any case, so that short videos have a second picture. */
const MIN_DECODED = 4

/**
 * Indexes of the frames in which a finished video is compared with what was captured: the first of the segment in the
 * middle, which is the cheapest to decode, and a later one of that segment.
 */
export const sampledFrames = ({ frames, segments }: Sampled): readonly number[] => {
  const middle = Math.floor(frames / 2)
  const segment = segments.findLast(({ start }) => start <= middle) ?? { start: 0, frames }
  const distance = Math.max(MIN_DECODED, Math.floor(frames * DECODED_SHARE))
  const last = segment.start + Math.min(distance, segment.frames - 1)
  return last > segment.start ? [segment.start, last] : [segment.start]
}

/** Copies of the sampled frames of plans, as the encoders got them. */
export interface FrameSamples {
  /** Keeps a copy of a frame that is sampled. */
  take(plan: RenderPlan, frame: Frame): void
  /** The frames that were kept, in their order. */
  of(plan: RenderPlan): readonly Frame[]
}

/** Creates the samples of one render; they are kept as long as their plan. */
export const createFrameSamples = (): FrameSamples => {
  const kept = new WeakMap<RenderPlan, Map<number, Frame | undefined>>()
  const samplesOf = (plan: RenderPlan) => {
    const samples =
      kept.get(plan) ?? new Map<number, Frame | undefined>(sampledFrames(plan).map((index) => [index, undefined]))
    kept.set(plan, samples)
    return samples
  }
  return {
    take(plan, frame) {
      const samples = samplesOf(plan)
      const { index, format, data } = frame
      if (samples.has(index)) samples.set(index, { index, format, data: Uint8Array.from(data) })
    },
    of: (plan) => [...samplesOf(plan).values()].filter((frame) => frame !== undefined),
  }
}
