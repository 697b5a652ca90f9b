import { failRender, type RenderPlan } from '@vid/protocol'
import type { EncodedFile, Frame, SegmentJob } from '../contracts/roles.ts'
import { type FrameReader, shareFrames } from '../frames/shared-frames.ts'
import { artifactBytes } from '../results/artifact.ts'
import { ask } from '../supervision/supervise-hooks.ts'
import type { Scope } from './scope.ts'

const encodeOutput = async (
  { hooks, watch }: Scope,
  segment: SegmentJob,
  frames: FrameReader,
  signal: AbortSignal,
): Promise<EncodedFile> => {
  const { name } = segment.plan.encoder
  try {
    const encoded = await ask('encode', name, hooks.encode.promise({ segment, frames, signal }))
    if (frames.read < segment.frames) {
      const facts = { plugin: name, read: frames.read, wanted: segment.frames }
      throw failRender('VID_FRAMES_UNREAD', facts, { plugin: name, hook: 'encode' })
    }
    await artifactBytes(name, 'encode', encoded.file)
    return encoded
  } finally {
    // Time spent waiting for frames is not charged to the encoder.
    watch.charge(name, 'encode', -frames.waitedMs, 0)
  }
}

/** Encodes the frames of a segment for every output of its plan at once; `plans` has one plan for each. */
export const encodeOutputs = async (
  scope: Scope,
  job: SegmentJob,
  plans: readonly RenderPlan[],
  frames: AsyncIterable<Frame>,
  signal: AbortSignal,
): Promise<EncodedFile> => {
  const shared = shareFrames(frames, plans.length)
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const jobs = shared.readers.map((reader, index) => {
    const path = index === 0 ? job.path : `${job.path}-${index}`
    return encodeOutput(scope, { ...job, plan: plans[index] ?? job.plan, path }, reader, either)
  })
  try {
    const [first, ...more] = (await Promise.all(jobs)) as [EncodedFile, ...EncodedFile[]]
    return more.length > 0 ? { ...first, more } : first
  } catch (thrown) {
    failed.abort(thrown)
    // An encoder that was reading fails too, but is not the cause.
    throw shared.failure() ?? thrown
  } finally {
    await shared.stop().catch(() => {})
    await Promise.allSettled(jobs)
  }
}
