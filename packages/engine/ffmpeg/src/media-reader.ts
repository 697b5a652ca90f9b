import { realpath } from 'node:fs/promises'
import { posix } from 'node:path'
import { definePlugin, isSourceAddress, type PlanContext } from '@vid/kernel'
import { describeCause, isMachineFault, type MediaTrack, type MediaUse, type RenderPlan } from '@vid/protocol'
import { type PathRefusal, projectPathRefusal } from '@vid/system'
import { missingConfinement } from './confine/confinement.ts'
import { fail } from './errors.ts'
import { planHdr } from './hdr/hdr-plan.ts'
import { planHardware } from './mp4/hardware-plan.ts'
import { frameFormatOf, readSource, type SourceFile } from './probe/source.ts'
import { isSourceFault } from './probe/source-fault.ts'
import { mixPlan } from './sound/audio-mixer.ts'
import { findFfmpeg } from './tools/find.ts'
import { ffmpegWarning } from './warnings.ts'

const NAME = '@vid/ffmpeg'

/** Names a media element in messages. */
const labelOf = ({ kind, src, start }: MediaUse) => `<${kind}> at ${start} s with src "${src}"`

/** Describes what a truncated source lacks; a render without `--strict` shows the rest and warns later. */
const truncationOf = async ({ kind }: MediaUse, source: SourceFile, signal: AbortSignal) => {
  if (kind !== 'video') return undefined
  const { frames = 0 } = source.picture?.stream ?? {}
  const { times, isCutOff } = await source.frameTimes(signal)
  if (times.length < frames * MIN_FOUND)
    return `it is truncated: only ${times.length} of its ${frames} frames are there`
  return isCutOff ? 'it is truncated: its file ends before its contents do' : undefined
}

/** Share of the container's frame count that must be found; the count includes frames that are never shown. */
const MIN_FOUND = 0.97

/** Why a source of the project cannot be read. */
const REFUSED: Readonly<Record<PathRefusal, string>> = {
  missing: 'the project has no such file',
  outside: 'it is outside of the project, by its path or by a link, which is not followed',
  hidden: 'it is hidden or in a hidden folder, and hidden files are not read',
  malformed: 'its path is not one inside of the project',
}

/** Why a media source has no file. */
const absenceOf = async ({ src }: MediaUse, projectDir: string): Promise<string> =>
  isSourceAddress(src)
    ? 'it could not be fetched'
    : REFUSED[
        posix.normalize(src).startsWith('../')
          ? 'outside'
          : (projectPathRefusal(await realpath(projectDir), src) ?? 'missing')
      ]

type SourceContext = Pick<PlanContext, 'sources' | 'signal'> & {
  readonly request: Pick<PlanContext['request'], 'strict'>
}

/** Opens the source of a media element, if there is a file; a string is the reason why that cannot be used. */
const openSource = async (
  use: MediaUse,
  { request, sources, signal }: SourceContext,
): Promise<SourceFile | string | undefined> => {
  // The page warns of an address that cannot be fetched, and says why.
  const file = await sources.file(use.src).catch((cause: unknown) => {
    signal.throwIfAborted()
    if (!isSourceAddress(use.src) || isMachineFault(cause)) throw cause
  })
  if (file === undefined) return undefined
  try {
    const source = await readSource(file, { signal })
    const stream = use.kind === 'video' ? source.picture : source.sound
    if (!stream) return `it has no ${use.kind === 'video' ? 'picture' : 'sound'} that can be decoded`
    return (request.strict && (await truncationOf(use, source, signal))) || source
  } catch (cause) {
    signal.throwIfAborted()
    if (!isSourceFault(cause)) throw cause
    return describeCause(cause)
  }
}

const trackOf = (
  use: MediaUse,
  source: SourceFile,
  plan: Pick<RenderPlan, 'duration' | 'videoFrameFormat'>,
): MediaTrack => {
  const { digest, duration, picture, sound } = source
  if (use.mediaStart >= duration)
    throw fail('VID_MEDIA_PAST_END', { label: labelOf(use), mediaStart: use.mediaStart, duration })
  const display = picture && {
    width: picture.width,
    height: picture.height,
    codec: picture.codec,
    fps: picture.fps,
    alpha: picture.alpha,
    ...(picture.hdr && { hdr: picture.hdr, peak: picture.peak }),
    frameFormat: frameFormatOf(picture, plan.videoFrameFormat),
  }
  const end = Math.max(use.start, Math.min(use.end, plan.duration))
  return { ...use, end, source: { digest, duration, picture: display, sound } }
}

const isHeard = ({ muted, hasAudio, volume, volumeCurve, source }: MediaTrack): boolean =>
  !muted && hasAudio !== false && source.sound !== null && (volume > 0 || volumeCurve !== undefined)

/** The track that a plan has for a media element; undefined when its source cannot be used. */
export const readMediaTrack = async (
  use: MediaUse,
  plan: Pick<RenderPlan, 'duration' | 'videoFrameFormat'>,
  context: Pick<PlanContext, 'sources' | 'signal'>,
): Promise<MediaTrack | undefined> => {
  const source = await openSource(use, { ...context, request: { strict: false } })
  return source === undefined || typeof source === 'string' ? undefined : trackOf(use, source, plan)
}

/** Warns if sources are read outside a sandbox although that was not accepted. */
const warnUnconfined = async ({ warn, signal }: PlanContext) => {
  const { ffprobe } = await findFfmpeg({ signal })
  const reason = await missingConfinement(ffprobe)
  if (reason !== undefined) warn(ffmpegWarning('VID_MEDIA_SANDBOX_OFF', { reason }))
}

/** Looks for a sandbox before a program needs it; what is wrong is said when it does. */
const prepareConfinement = (name: 'ffmpeg' | 'ffprobe', { signal }: PlanContext): void => {
  findFfmpeg({ signal })
    .then((tools) => missingConfinement(tools[name]))
    .catch(() => {})
}

/**
 * Fills in the media of a plan: every media element whose source can be read; the others cause a warning. Then decides
 * on HDR and on hardware encoding. Mixes the sound of a render.
 */
export const mediaReader = definePlugin({
  name: NAME,
  setup(hooks) {
    hooks.mix.tapPromise(NAME, mixPlan)
    // After the composition reader, which sets the plan's duration.
    hooks.plan.tapPromise({ name: NAME, stage: -50 }, async (plan, context) => {
      // While the page opens: at the latest, the finished video is read in a sandbox.
      prepareConfinement('ffprobe', context)
      const { media: uses = [] } = await context.probe(plan)
      if (uses.length > 0) await warnUnconfined(context)
      const read = await Promise.all(
        uses.map(async (use) => ({
          use,
          source: (await openSource(use, context)) ?? (await absenceOf(use, context.request.projectDir)),
        })),
      )
      const faults = read.flatMap(({ use, source }) =>
        typeof source === 'string' ? [{ label: labelOf(use), reason: source }] : [],
      )
      if (context.request.strict && faults.length > 0) throw fail('VID_MEDIA_STRICT', { broken: faults })
      for (const facts of faults) context.warn(ffmpegWarning('VID_MEDIA_UNUSABLE', facts))
      const media = read
        .flatMap(({ use, source }) => (typeof source === 'string' ? [] : [trackOf(use, source, plan)]))
        .filter(({ start, end }) => start < end)
      const mediaPlan = { ...plan, media, audio: media.filter(isHeard) }
      if (mediaPlan.audio.length > 0) prepareConfinement('ffmpeg', context)
      return planHardware(await planHdr(mediaPlan, context), context)
    })
    // After plugins that may change what is heard.
    hooks.plan.tapPromise({ name: NAME, stage: 100 }, async (plan, context) => {
      const { loudness = 'off' } = context.request
      return loudness === 'off' ? plan : (await import('./sound/plan-loudness.ts')).planLoudness(plan, context)
    })
  },
})
