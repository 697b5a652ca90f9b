import type { SoundTrack } from '@vid/ffmpeg/sound-rules'
import { firstFrameAt } from '@vid/protocol'
import { gainsAtTimes, type PlayerComposition } from '@vid/runtime'
import type { FrameTimes } from '../frame-times.ts'

/** A media element that is heard, with the name of its source in the page. */
export interface HeardTrack extends Omit<SoundTrack, 'file'> {
  readonly src: string
  /** Position among the media of the probe, and among the gains of a frame. */
  readonly index: number
  /** Whether only the page knows its gain, frame by frame. */
  readonly moves: boolean
  /** Whether the length of the source is the one that a render measures. */
  readonly hasExactLength: boolean
}

type HeardMedia = PlayerComposition['probe']['media'][number]

/** The gain that attributes give an element, as a render's plan has it. */
const gainOf = (media: HeardMedia, { count, rate, timeOf }: FrameTimes): HeardTrack['gain'] => {
  const { start, envelope, volume } = media
  if (!envelope) return volume
  const window = { ...media, end: Math.min(media.end ?? Number.POSITIVE_INFINITY, timeOf(count)) }
  const firstFrame = firstFrameAt(start, rate)
  const length = Math.max(0, firstFrameAt(window.end, rate) - firstFrame)
  const times = Array.from({ length }, (_, frame) => timeOf(firstFrame + frame))
  return { fps: rate, firstFrame, values: gainsAtTimes(envelope, window, volume, times) }
}

/** The tracks of a composition that are heard, by the rules of a render's plan. */
export const heardTracks = (
  { probe, facts, duration, hasServer: hasExactLength }: PlayerComposition,
  times: FrameTimes,
): readonly HeardTrack[] =>
  probe.media.flatMap((media, index) => {
    const { kind, src, start, mediaStart, rate, loop, volume, envelope, pan, heardFrom, heardUntil } = media
    const source = facts[src]
    if (!source?.hasAudio || media.muted || media.hasAudio === false) return []
    const end = Math.min(media.end ?? Number.POSITIVE_INFINITY, heardUntil ?? Infinity, duration ?? 0)
    const remaining = source.duration - mediaStart
    if (start >= end || remaining <= 0 || (volume <= 0 && !probe.volumesMove && !envelope)) return []
    return [
      {
        src,
        index,
        label: `<${kind} src="${src}">`,
        start,
        end,
        mediaStart,
        rate,
        gain: probe.volumesMove ? volume : gainOf(media, times),
        moves: probe.volumesMove,
        ...(pan !== undefined && { pan }),
        hasExactLength,
        ...(heardFrom !== undefined && { from: heardFrom }),
        ...(loop && { loop: remaining }),
      },
    ]
  })
