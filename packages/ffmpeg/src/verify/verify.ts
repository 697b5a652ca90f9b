import type { Verification } from '@vid/kernel'
import { readMastering } from '../probe/mastering.ts'
import { probeMedia } from '../probe/probe.ts'
import { type FfmpegTools, findEmbedded, findFfmpeg } from '../tools/find.ts'
import { outputWrong } from './output-wrong.ts'
import { isPlainFrame, isPlainVideo, middleOf } from './plain-picture.ts'
import { differences, type ExpectedVideo, streamProblems } from './stream-problems.ts'

export type { ExpectedVideo } from './stream-problems.ts'

interface VerifyOptions {
  readonly signal: AbortSignal
  /** Input options that choose a decoder. */
  readonly decoder?: readonly string[]
}

/** Problems of a video as seen by one pair of programs; a video of one colour is correct when its page is of one colour. */
const findProblems = async (
  { plan, artifact, sound }: Verification,
  expected: ExpectedVideo,
  options: VerifyOptions,
  tools: FfmpegTools,
  isPagePlain: () => Promise<boolean>,
): Promise<string[]> => {
  const { signal } = options
  const [info, lostPicture] = await Promise.allSettled([
    probeMedia(artifact.path, { countPackets: true, signal, tools }),
    isPlainVideo(artifact.path, plan, options, tools).then(async (plain) => plain && !(await isPagePlain())),
  ])
  signal.throwIfAborted()
  if (info.status === 'rejected') throw info.reason
  const problems = streamProblems(info.value, { plan, sound }, expected)
  if (expected.mastering !== undefined && info.value.video[0]) {
    const { index } = info.value.video[0]
    const { mastering } = await readMastering(artifact.path, index, tools, signal)
    problems.push(...differences('video', { mastering }, { mastering: expected.mastering }))
  }
  if (problems.length === 0 && lostPicture.status === 'rejected') throw lostPicture.reason
  if (lostPicture.status === 'fulfilled' && lostPicture.value)
    problems.push('its picture is one colour, and the page is not')
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
    const problems = await findProblems(verification, expected, options, embedded, async () => false).catch(
      () => undefined,
    )
    signal.throwIfAborted()
    if (problems?.length === 0) return
  }
  // The embedded pair may be too old to read the file: the pair that encoded it decides.
  const { plan } = verification
  const isPagePlain = async () => isPlainFrame(await verification.frame(middleOf(plan)), tools, signal)
  const problems = await findProblems(verification, expected, options, tools, isPagePlain)
  if (problems.length > 0) throw outputWrong(plan.format, problems)
}
