import { bt709Filter, bt709Tags, type ExpectedVideo } from '@vid/ffmpeg'
import type { FrameFormat } from '@vid/kernel'
import type { Mp4Settings } from './settings.ts'

/** What the fixed options need to know about a plan. */
interface Picture {
  readonly width: number
  readonly height: number
  readonly fps: number
}

/** Ticks that any frame time is a whole number of. */
const timescale = (fps: number) => ['-video_track_timescale', `${fps * 512}`]

/**
 * No maxrate and bufsize: x264 then looks at how far its other threads have come, and two equal runs differ.
 * A low tolerance holds the average within a segment instead.
 */
const rate = ({ crf, bitrate }: Mp4Settings) =>
  bitrate === null ? ['-crf', `${crf}`] : ['-b:v', `${bitrate}`]

/** Half of what `medium` looks ahead: 139 MB less at 1080p, for 0.005 dB. */
const lookahead = ({ preset }: Mp4Settings) => (preset === 'medium' ? ['rc-lookahead=20'] : [])

const x264Params = (settings: Mp4Settings) =>
  [
    'cpu-independent=1',
    'open-gop=0',
    ...lookahead(settings),
    ...(settings.bitrate === null ? [] : ['ratetol=0.1']),
  ].join(':')

/** ffmpeg's output options for a segment of frames of `format`. */
export const segmentArgs = (
  format: FrameFormat,
  settings: Mp4Settings,
  { width, height, fps }: Picture,
): string[] => [
  ...['-vf', bt709Filter(format, width, height), ...bt709Tags, '-pix_fmt', 'yuv420p'],
  ...['-c:v', 'libx264', '-preset', settings.preset, ...rate(settings), '-threads', `${settings.threads}`],
  ...['-x264-params', x264Params(settings), '-flags', '+bitexact', '-fflags', '+bitexact'],
  ...[...timescale(fps), '-movflags', '+write_colr', '-f', 'mp4'],
]

/** ffmpeg's options for the sound: AAC of 192 kb/s. */
export const soundArgs: readonly string[] = ['-c:a', 'aac', '-b:a', '192k']

/** ffmpeg's output options for the finished file. */
export const fileArgs = (fps: number): string[] => [
  ...timescale(fps),
  ...['-movflags', '+faststart+write_colr', '-f', 'mp4'],
]

/** What ffprobe must say of the finished file. */
export const expectedVideo = ({ width, height }: Omit<Picture, 'fps'>): ExpectedVideo => ({
  container: 'mp4',
  video: {
    ...{ codec: 'h264', codecTag: 'avc1', pixFmt: 'yuv420p' },
    ...{ range: 'tv', matrix: 'bt709', transfer: 'bt709', primaries: 'bt709' },
  },
  size: { width: width + (width % 2), height: height + (height % 2) },
  audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
})
