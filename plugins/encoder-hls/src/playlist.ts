import { type FrameRate, INCOMPLETE_TAG, secondsOf } from '@vid/kernel'
import { CHAPTERS_LINE } from './chapters.ts'
import type { Rendition } from './renditions.ts'

/** One media segment of a playlist. */
export interface PlaylistEntry {
  readonly uri: string
  readonly seconds: number
  readonly bytes: number
  /** Bytes up to the end of its first picture. */
  readonly firstBytes: number
}

/**
 * Whether a playlist may still grow, has grown to the end of the video, ended before it, or was written when everything
 * was finished.
 */
export type PlaylistState = 'growing' | 'grown' | 'incomplete' | 'whole'

/** The newest tag in use is EXT-X-MAP in a playlist that is not one of key frames. */
const VERSION = 6

const headLines = ['#EXTM3U', `#EXT-X-VERSION:${VERSION}`]

/** A playlist of media segments, or of the first picture of each. */
export const mediaPlaylist = (job: {
  /** File name of the initialization segment; left out for texts. */
  readonly init?: string
  readonly entries: readonly PlaylistEntry[]
  /** The largest rounded length of a media segment of all playlists. */
  readonly targetSeconds: number
  readonly state: PlaylistState
  readonly keysOnly?: boolean
}): string => {
  const { init, entries, targetSeconds, state, keysOnly = false } = job
  const lines = [
    ...headLines,
    `#EXT-X-TARGETDURATION:${targetSeconds}`,
    `#EXT-X-PLAYLIST-TYPE:${state === 'whole' ? 'VOD' : 'EVENT'}`,
    keysOnly ? '#EXT-X-I-FRAMES-ONLY' : '#EXT-X-INDEPENDENT-SEGMENTS',
    ...(init === undefined ? [] : [`#EXT-X-MAP:URI="${init}"`]),
  ]
  for (const { uri, seconds, firstBytes } of entries) {
    lines.push(`#EXTINF:${seconds.toFixed(6)},`)
    if (keysOnly) lines.push(`#EXT-X-BYTERANGE:${firstBytes}@0`)
    lines.push(uri)
  }
  if (state === 'incomplete') lines.push(INCOMPLETE_TAG)
  if (state !== 'growing') lines.push('#EXT-X-ENDLIST')
  return `${lines.join('\n')}\n`
}

type Sized = Pick<PlaylistEntry, 'seconds' | 'bytes'>

const rateOf = (entries: readonly Sized[]): number => {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  const seconds = entries.reduce((sum, entry) => sum + entry.seconds, 0)
  return seconds > 0 ? (bytes * 8) / seconds : 0
}

/**
 * Peak bits per second as RFC 8216 defines it: the largest rate of consecutive segments that last between half and one
 * and a half of the target duration.
 */
export const peakRate = (entries: readonly Sized[], targetSeconds: number): number => {
  let peak = 0
  for (const first of entries.keys()) {
    let seconds = 0
    for (let next = first; next < entries.length; next += 1) {
      seconds += entries[next]?.seconds ?? 0
      if (seconds > 1.5 * targetSeconds) break
      if (seconds >= 0.5 * targetSeconds) peak = Math.max(peak, rateOf(entries.slice(first, next + 1)))
    }
  }
  return peak === 0 ? rateOf(entries) : peak
}

/** One rendition as a multivariant playlist describes it. */
export interface Variant {
  readonly rendition: Rendition
  readonly codec: string
  readonly entries: readonly PlaylistEntry[]
}

const GROUP = 'sound'
const CAPTIONS = 'captions'

/** The sound, the captions and the chapters that belong to each rendition. */
export interface Companions {
  readonly sound:
    | { readonly codec: string; readonly entries: readonly PlaylistEntry[]; readonly uri: string }
    | undefined
  readonly captions: readonly {
    /** BCP 47 tag; empty without one. */
    readonly language: string
    readonly label: string
    readonly entries: readonly PlaylistEntry[]
    readonly uri: string
  }[]
  readonly hasChapters?: boolean
}

/** A text as an attribute can hold it. */
const quoted = (text: string): string => `"${text.replaceAll('"', "'").replace(/\s+/g, ' ')}"`

const captionLines = (captions: Companions['captions']): string[] => {
  const names: string[] = []
  return captions.map(({ language, label, uri }) => {
    const plain = label || language || 'Captions'
    // No two of a group have one name.
    const name = names.includes(plain) ? `${plain} ${names.length + 1}` : plain
    names.push(name)
    const attributes = [
      `GROUP-ID="${CAPTIONS}"`,
      `NAME=${quoted(name)}`,
      ...(language === '' ? [] : [`LANGUAGE=${quoted(language)}`]),
      'DEFAULT=NO',
      'AUTOSELECT=YES',
      'FORCED=NO',
      `URI="${uri}"`,
    ]
    return `#EXT-X-MEDIA:TYPE=SUBTITLES,${attributes.join(',')}`
  })
}

const greatest = (rates: readonly number[]): number => Math.max(0, ...rates)

/** Renditions with their rates, and what belongs to each. */
export const multivariantPlaylist = (
  variants: readonly Variant[],
  { sound, captions, hasChapters = false }: Companions,
  { fps, targetSeconds }: { readonly fps: FrameRate; readonly targetSeconds: number },
): string => {
  const lines = [...headLines, '#EXT-X-INDEPENDENT-SEGMENTS']
  if (hasChapters) lines.push(CHAPTERS_LINE)
  if (sound)
    lines.push(
      `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${GROUP}",NAME="Sound",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="${sound.uri}"`,
    )
  lines.push(...captionLines(captions))
  const soundPeak = sound ? peakRate(sound.entries, targetSeconds) : 0
  const soundAverage = sound ? rateOf(sound.entries) : 0
  const textPeak = greatest(captions.map(({ entries }) => peakRate(entries, targetSeconds)))
  const textAverage = greatest(captions.map(({ entries }) => rateOf(entries)))
  const sizeOf = ({ width, height }: Rendition) => `RESOLUTION=${width}x${height}`
  for (const { rendition, codec, entries } of variants) {
    const attributes = [
      `BANDWIDTH=${Math.ceil(peakRate(entries, targetSeconds) + soundPeak + textPeak)}`,
      `AVERAGE-BANDWIDTH=${Math.ceil(rateOf(entries) + soundAverage + textAverage)}`,
      `CODECS="${sound ? `${codec},${sound.codec}` : codec}"`,
      sizeOf(rendition),
      `FRAME-RATE=${(1 / secondsOf(1, fps)).toFixed(3)}`,
      'VIDEO-RANGE=SDR',
      'CLOSED-CAPTIONS=NONE',
      ...(sound ? [`AUDIO="${GROUP}"`] : []),
      ...(captions.length > 0 ? [`SUBTITLES="${CAPTIONS}"`] : []),
    ]
    lines.push(`#EXT-X-STREAM-INF:${attributes.join(',')}`, `${rendition.name}.m3u8`)
  }
  for (const { rendition, codec, entries } of variants) {
    const keys = entries.map(({ seconds, firstBytes: bytes }) => ({ seconds, bytes }))
    const attributes = [
      `BANDWIDTH=${Math.ceil(peakRate(keys, targetSeconds))}`,
      `AVERAGE-BANDWIDTH=${Math.ceil(rateOf(keys))}`,
      `CODECS="${codec}"`,
      sizeOf(rendition),
      'VIDEO-RANGE=SDR',
      `URI="${rendition.name}-keys.m3u8"`,
    ]
    lines.push(`#EXT-X-I-FRAME-STREAM-INF:${attributes.join(',')}`)
  }
  return `${lines.join('\n')}\n`
}
