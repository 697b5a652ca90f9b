import { bt709AlphaFilter, bt709Tags, type ExpectedVideo, SAMPLE_RATE, steadyFilter } from '@vid/ffmpeg'
import type { FrameFormat } from '@vid/kernel'
import type { WebmSettings } from './settings.ts'

/** Microseconds of a unit of a webm file's times. */
export const TICK_US = 1000

/** Says that the alpha of each frame stands beside it. */
const ALPHA_TAG = ['-metadata:s:v:0', 'alpha_mode=1']

const rate = ({ crf, bitrate }: WebmSettings) =>
  bitrate === null ? ['-crf', `${crf}`, '-b:v', '0'] : ['-b:v', `${bitrate}`]

/** Columns of tiles as a power of two, at least 512 pixels wide each: they are encoded at once. */
const tileColumns = (width: number) => Math.max(0, Math.min(2, Math.floor(Math.log2(width / 512))))

/** Planar frames are encoded as they come; those of other layouts repeat before they are converted, since the conversion would lose the last one. */
const filterOf = (format: FrameFormat, fps: number) =>
  format === 'yuva420p'
    ? `format=yuva420p,${steadyFilter(fps)}`
    : `${steadyFilter(fps)},${bt709AlphaFilter('yuva420p')}`

/**
 * ffmpeg's output options for a segment of frames of `format` that starts at frame `start`. Its times count from the video's start, so that
 * they are rounded once.
 */
export const segmentArgs = (
  format: FrameFormat,
  settings: WebmSettings,
  { width, fps, start }: { readonly width: number; readonly fps: number; readonly start: number },
): string[] => [
  ...['-vf', `${filterOf(format, fps)},setpts=PTS+${start}`, ...bt709Tags],
  ...['-c:v', 'libvpx-vp9', ...rate(settings), '-deadline', settings.deadline],
  // With row-mt, two threads or more give the same bytes. libvpx cannot keep alpha beside frames it reorders.
  ...['-cpu-used', `${settings.speed}`, '-row-mt', '1', '-tile-columns', `${tileColumns(width)}`],
  ...['-threads', `${settings.threads}`, '-auto-alt-ref', '0', '-g', '240'],
  // Without such frames, looking ahead changes nothing and takes gigabytes for large pictures.
  ...['-lag-in-frames', '0'],
  ...['-flags', '+bitexact', '-fflags', '+bitexact', ...ALPHA_TAG, '-f', 'webm'],
]

/** Samples that Opus needs before a sound begins; ffmpeg writes their length into the file, but not their time. */
const OPUS_LEAD = 312

/** ffmpeg's options for the sound: Opus of 128 kb/s. */
export const soundArgs: readonly string[] = [
  ...['-af', `asetpts=PTS+${OPUS_LEAD}/${SAMPLE_RATE}/TB`],
  ...['-c:a', 'libopus', '-b:a', '128k'],
]

/** ffmpeg's output options for the finished file; joining loses tags. */
export const fileArgs: readonly string[] = [...bt709Tags, ...ALPHA_TAG, '-f', 'webm']

/** What ffprobe must say of the finished file. */
export const expectedVideo: ExpectedVideo = {
  container: 'webm',
  video: { codec: 'vp9', pixFmt: 'yuv420p' },
  tags: { alpha_mode: '1' },
  audio: { codec: 'opus', sampleRate: SAMPLE_RATE, channels: 2 },
}

/** The decoder that shows alpha. */
export const decoder: readonly string[] = ['-c:v', 'libvpx-vp9']
