import { type FfmpegTools, mediaChanged, type SourceFile, sdrViewOf, selectFrames, shownFrames } from '@vid/ffmpeg'
import { isVidError, type MediaTrack, type RenderPlan, type Warning } from '@vid/protocol'
import { aborted } from '@vid/system'
import { captureFailure } from '../capture-errors.ts'
import { captureWarning } from '../capture-warnings.ts'
import { claimFrames, type FrameClaim } from './frame-cache.ts'

/** A source with pictures. */
export type PictureSource = SourceFile & { readonly picture: NonNullable<SourceFile['picture']> }

const hasPicture = (source: SourceFile): source is PictureSource => source.picture !== null

/** The pictures of a video in each frame of the composition, and the extracted frames that contain them. */
export interface TrackFrames {
  readonly source: PictureSource
  /** The first frame of the composition that shows the video. */
  readonly first: number
  /** Timestamps of the pictures from that frame on, in ticks. */
  readonly ticks: readonly number[]
  /** Starts extracting the frames, once; undefined if none is shown. */
  claim(): Promise<FrameClaim | undefined>
  /** Warns of unreadable frames so far, if the frames were acquired. */
  report(): Promise<void>
  /** Releases the frames, if they were acquired, once all pending requests have settled. */
  release(): Promise<void>
}

/** Options for finding the frames of a track. */
export interface TrackFramesOptions {
  readonly signal: AbortSignal
  open(src: string): Promise<SourceFile | undefined>
  findTools(): Promise<FfmpegTools>
  warn(warning: Warning): void
}

/** What is decoded is shared by its content, whatever the source is called: its error gets the name of a track. */
export const withName = (thrown: unknown, src: string): unknown => {
  if (!isVidError(thrown)) return thrown
  if (thrown.code === 'VID_MEDIA_CHANGED') {
    const digests = thrown.facts as { readonly planned: string; readonly found: string }
    return mediaChanged({ src, source: { digest: digests.planned } }, { digest: digests.found })
  }
  if (thrown.code !== 'VID_MEDIA_NO_FRAME') return thrown
  const { tick, reason } = thrown.facts as { readonly tick: number; readonly reason: string }
  return captureFailure('VID_MEDIA_NO_FRAME', { src, tick, reason }, { cause: thrown })
}

/**
 * Finds the pictures of a planned video in each frame; throws VID_MEDIA_CHANGED if its source file has changed since.
 */
export const findTrackFrames = async (
  track: MediaTrack,
  { fps, frames, hdr }: RenderPlan,
  { signal, open, findTools, warn }: TrackFramesOptions,
): Promise<TrackFrames> => {
  const source = await open(track.src)
  if (source?.digest !== track.source.digest || !hasPicture(source)) throw mediaChanged(track, source)
  const times = await source.frameTimes(signal)
  const { first, ticks } = shownFrames(track, source, times, { fps, total: frames })
  const selection = selectFrames(times.times, ticks)
  const frameFormat = track.source.picture?.frameFormat ?? 'jpg'
  const view = track.source.picture ? sdrViewOf(track.source.picture, hdr) : undefined
  const job = { source, frameFormat, ...(view && { view }), tools: await findTools() }
  let isReported = false
  const complain = (detail: string | undefined) => {
    if (detail === undefined || isReported) return
    isReported = true
    warn(captureWarning('VID_MEDIA_DAMAGED', { src: track.src, detail }))
  }
  const reason = await source.doubt(signal)
  if (reason !== undefined) warn(captureWarning('VID_MEDIA_UNTIMED', { src: track.src, reason }))
  const lastTick = ticks.at(-1)
  let hasServedLast = false
  const extract = async (): Promise<FrameClaim | undefined> => {
    const claim = selection && (await claimFrames({ ...selection, ...job }))
    claim?.finished.then(complain, () => {})
    return (
      claim && {
        ...claim,
        async file(tick, fileSignal) {
          hasServedLast ||= tick === lastTick
          return claim.file(tick, fileSignal).catch((thrown: unknown) => {
            throw withName(thrown, track.src)
          })
        },
      }
    )
  }
  const report = async () => complain((await claiming)?.complaint())
  let claiming: Promise<FrameClaim | undefined> | undefined
  return {
    source,
    first,
    ticks,
    claim() {
      claiming ??= extract()
      return claiming
    },
    report,
    async release() {
      const claim = await claiming
      // ffmpeg has yet to report the last frame; frames that are not needed are not awaited.
      if (hasServedLast && claim) await Promise.race([claim.finished.catch(() => {}), aborted(signal)])
      await report()
      await claim?.release()
    },
  }
}
