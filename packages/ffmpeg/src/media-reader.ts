import {
  definePlugin,
  describeCause,
  isSourceAddress,
  type MediaTrack,
  type MediaUse,
  type PlanContext,
  type RenderPlan,
} from '@vid/kernel'
import { fail } from './errors.ts'
import { planHardware, planLight } from './hdr/hdr-plan.ts'
import { frameFormatOf, readSource, type SourceFile } from './probe/source.ts'
import { mixPlan } from './sound/audio-mixer.ts'

const NAME = '@vid/ffmpeg'

/** How a use is named to its author. */
const labelOf = ({ kind, src, start }: MediaUse) => `<${kind}> at ${start} s with src "${src}"`

/** What a source has lost; a render that is not strict shows it as far as it goes, and warns when it gets there. */
const lossOf = async ({ kind }: MediaUse, source: SourceFile, signal: AbortSignal) => {
  const { frames } = source.picture?.stream ?? {}
  if (kind !== 'video' || frames === undefined) return undefined
  const found = (await source.frameTimes(signal)).length
  return found < frames * LEAST_FOUND
    ? `it is cut off: ${found} of its ${frames} frames are there`
    : undefined
}

/** Share of the frames that a container counts; it also counts a few that only feed the decoder. */
const LEAST_FOUND = 0.97

/** The source of a use, or why it cannot be used. */
const openSource = async (
  use: MediaUse,
  { request, sources, signal }: PlanContext,
): Promise<SourceFile | string> => {
  // Why an address could not be fetched is the warning of whoever fetched it for the page.
  const file = await sources.file(use.src).catch((cause: unknown) => {
    signal.throwIfAborted()
    if (!isSourceAddress(use.src)) throw cause
  })
  if (file === undefined)
    return isSourceAddress(use.src) ? 'it could not be fetched' : 'there is no such file in the project'
  try {
    const source = await readSource(file, { signal })
    const wanted = use.kind === 'video' ? source.picture : source.sound
    if (!wanted) return `it has no ${use.kind === 'video' ? 'picture' : 'sound'}`
    return (request.strict && (await lossOf(use, source, signal))) || source
  } catch (cause) {
    signal.throwIfAborted()
    return describeCause(cause)
  }
}

const trackOf = (use: MediaUse, source: SourceFile, plan: RenderPlan): MediaTrack => {
  const { digest, duration, picture, sound } = source
  if (use.mediaStart >= duration)
    throw fail('VID_MEDIA_PAST_END', { label: labelOf(use), mediaStart: use.mediaStart, duration })
  const shown = picture && {
    ...{ width: picture.width, height: picture.height, codec: picture.codec },
    ...{ fps: picture.fps, alpha: picture.alpha },
    ...(picture.hdr && { hdr: picture.hdr, peak: picture.peak }),
    frameFormat: frameFormatOf(picture, plan.videoFrameFormat),
  }
  const end = Math.max(use.start, Math.min(use.end, plan.duration))
  return { ...use, end, source: { digest, duration, picture: shown, sound } }
}

const isHeard = ({ muted, hasAudio, volume, volumeCurve, source }: MediaTrack): boolean =>
  !muted && hasAudio !== false && source.sound !== null && (volume > 0 || volumeCurve !== undefined)

/** Gives a plan its media, every use whose source can be read, warns of the others, decides on HDR and hardware, and mixes what is heard. */
export const mediaReader = definePlugin({
  name: NAME,
  setup(hooks) {
    hooks.mix.tapPromise(NAME, mixPlan)
    // After the composition's reader, which knows how long the plan is.
    hooks.plan.tapPromise({ name: NAME, stage: -50 }, async (plan, context) => {
      const { media: uses = [] } = await context.probe(plan)
      const read = await Promise.all(
        uses.map(async (use) => ({ use, source: await openSource(use, context) })),
      )
      const broken = read.flatMap(({ use, source }) =>
        typeof source === 'string' ? [{ label: labelOf(use), reason: source }] : [],
      )
      if (context.request.strict && broken.length > 0) throw fail('VID_MEDIA_STRICT', { broken })
      for (const { label, reason } of broken)
        context.warn({
          code: 'VID_MEDIA_UNUSABLE',
          message: `${label} is left out: ${reason}`,
          hint: 'Check the path, which starts at the project folder, and that the file plays; --strict makes this an error.',
        })
      const media = read
        .flatMap(({ use, source }) => (typeof source === 'string' ? [] : [trackOf(use, source, plan)]))
        .filter(({ start, end }) => start < end)
      const known = { ...plan, media, audio: media.filter(isHeard) }
      return planHardware(await planLight(known, context), context)
    })
  },
})
