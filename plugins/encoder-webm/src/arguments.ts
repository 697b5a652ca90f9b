import { bt709AlphaFilter, bt709Tags, type ExpectedVideo, SAMPLE_RATE, steadyFilter } from '@vid/ffmpeg'
import type { FrameFormat, FrameRate } from '@vid/kernel'
import type { WebmSettings } from './settings.ts'

/** Time unit of a webm file in microseconds. */
export const TICK_US = 1000

/** Marks a stream that stores alpha beside each frame. */
const ALPHA_TAG = ['-metadata:s:v:0', 'alpha_mode=1']

const rate = ({ crf, bitrate }: WebmSettings) =>
  bitrate === null ? ['-crf', `${crf}`, '-b:v', '0'] : ['-b:v', `${bitrate}`]

/** Binary logarithm of the number of tile columns, each at least 512 pixels wide; columns are encoded in parallel. */
const tileColumns = (width: number) => Math.max(0, Math.min(2, Math.floor(Math.log2(width / 512))))

/** Planar frames need no conversion. Other frames are repeated before the conversion, which would drop the last repeat. */
const filterOf = (format: FrameFormat, fps: FrameRate) =>
  format === 'yuva420p'
    ? `format=yuva420p,${steadyFilter(fps)}`
    : `${steadyFilter(fps)},${bt709AlphaFilter('yuva420p')}`

/**
 * ffmpeg's output options for a segment that starts at frame `start`. Its time stamps count from the start of the video,
 * so that each is rounded only once.
 */
export const segmentArgs = (
  format: FrameFormat,
  settings: WebmSettings,
  { width, fps, start }: { readonly width: number; readonly fps: FrameRate; readonly start: number },
): string[] => [
  '-vf',
  `${filterOf(format, fps)},setpts=PTS+${start}`,
  ...bt709Tags,
  '-c:v',
  'libvpx-vp9',
  ...rate(settings),
  '-deadline',
  settings.deadline,
  // With row-mt, any number of threads from two gives equal bytes. libvpx loses alpha when it reorders frames.
  '-cpu-used',
  `${settings.speed}`,
  '-row-mt',
  '1',
  '-tile-columns',
  `${tileColumns(width)}`,
  '-threads',
  `${settings.threads}`,
  '-auto-alt-ref',
  '0',
  '-g',
  '240',
  // Without reordering, lookahead has no effect and takes gigabytes for large pictures.
  '-lag-in-frames',
  '0',
  '-flags',
  '+bitexact',
  '-fflags',
  '+bitexact',
  ...ALPHA_TAG,
  '-f',
  'webm',
]

/** Pre-skip of Opus in samples; ffmpeg writes it into the file but does not shift the time stamps by it. */
const OPUS_PRE_SKIP = 312

/** ffmpeg's options for the sound: Opus at 128 kb/s. */
export const soundArgs: readonly string[] = [
  '-af',
  `asetpts=PTS+${OPUS_PRE_SKIP}/${SAMPLE_RATE}/TB`,
  '-c:a',
  'libopus',
  '-b:a',
  '128k',
]

/** ffmpeg's output options for the finished file; joining drops tags, so they are set again. */
export const fileArgs: readonly string[] = [...bt709Tags, ...ALPHA_TAG, '-f', 'webm']

/** What ffprobe must report for the finished file. */
export const expectedWebm: ExpectedVideo = {
  container: 'webm',
  video: { codec: 'vp9', pixFmt: 'yuv420p' },
  tags: { alpha_mode: '1' },
  audio: { codec: 'opus', sampleRate: SAMPLE_RATE, channels: 2 },
}

/** Input options for the decoder that supports alpha. */
export const decoder: readonly string[] = ['-c:v', 'libvpx-vp9']
