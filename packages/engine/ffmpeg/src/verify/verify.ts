import type { Frame, Verification } from '@vid/kernel'
import { readMastering } from '../probe/mastering.ts'
import { probeMedia } from '../probe/probe.ts'
import { type FfmpegTools, findEmbedded, findFfmpeg } from '../tools/find.ts'
import { outputWrong } from './output-wrong.ts'
import { pictureProblems } from './picture-problems.ts'
import type { Transparency } from './small-pictures.ts'
import { differences, type ExpectedVideo, streamProblems } from './stream-problems.ts'

export type { ExpectedVideo } from './stream-problems.ts'

interface VerifyOptions {
  readonly signal: AbortSignal
  /** Input options that choose a decoder. */
  readonly decoder?: readonly string[]
  /** What the format keeps of alpha; left out when that is nothing. */
  readonly transparency?: Transparency
}

/** Problems of a video as seen by one pair of programs. */
const findProblems = async (
  { plan, artifact, sound, samples }: Verification,
  expected: ExpectedVideo,
  options: VerifyOptions,
  tools: FfmpegTools,
  frame: (index: number) => Promise<Frame | undefined>,
): Promise<string[]> => {
  const { signal, decoder, transparency } = options
  const isReordered = expected.video.codec === 'h264' || expected.video.codec === 'hevc'
  const isEven = expected.size !== undefined
  const video = { path: artifact.path, plan, isEven, isReordered, decoder, transparency, signal }
  const [info, pictures] = await Promise.allSettled([
    probeMedia(artifact.path, { countPackets: true, signal, tools }),
    pictureProblems({ plan, samples }, video, tools, frame),
  ])
  signal.throwIfAborted()
  if (info.status === 'rejected') throw info.reason
  const problems = streamProblems(info.value, { plan, sound }, expected)
  if (expected.mastering !== undefined && info.value.video[0]) {
    const { index } = info.value.video[0]
    const { mastering } = await readMastering(artifact.path, index, tools, signal)
    problems.push(...differences('video', { mastering }, { mastering: expected.mastering }))
  }
  if (pictures.status === 'fulfilled') return [...problems, ...pictures.value]
  if (problems.length === 0) throw pictures.reason
  return problems
}

/** Checks a finished video against its plan before it is delivered; VID_OUTPUT_WRONG lists the differences. */
export const verifyVideo = async (
  verification: Verification,
  expected: ExpectedVideo,
  options: VerifyOptions,
): Promise<void> => {
  const { signal } = options
  const tools = await findFfmpeg({ signal })
  const embedded = await findEmbedded(tools, { signal })
  if (embedded) {
    const problems = await findProblems(verification, expected, options, embedded, async () => undefined).catch(
      () => undefined,
    )
    signal.throwIfAborted()
    if (problems?.length === 0) return
  }
  // The embedded pair may be too old to read the file: the pair that encoded it decides.
  const problems = await findProblems(verification, expected, options, tools, verification.frame)
  if (problems.length > 0) throw outputWrong(verification.plan.format, problems)
}
