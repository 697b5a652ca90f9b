import type { SoundTrack } from '@vid/ffmpeg/sound-rules'
import type { PlayerComposition } from '@vid/runtime'

/** A media element that is heard, with the name of its source in the page. */
export interface HeardTrack extends Omit<SoundTrack, 'file' | 'gain'> {
  readonly src: string
  /** Position among the media of the probe, and among the gains of a frame. */
  readonly index: number
  readonly gain: number
  /** Whether its gain may change over time. */
  readonly moves: boolean
  /** Whether the length of the source is the one that a render measures. */
  readonly hasExactLength: boolean
}

/** The tracks of a composition that are heard, by the rules of a render's plan. */
export const heardTracks = ({
  probe,
  facts,
  duration,
  hasServer: hasExactLength,
}: PlayerComposition): readonly HeardTrack[] =>
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
        gain: volume,
        moves: probe.volumesMove || envelope !== undefined,
        ...(pan !== undefined && { pan }),
        hasExactLength,
        ...(heardFrom !== undefined && { from: heardFrom }),
        ...(loop && { loop: remaining }),
      },
    ]
  })
