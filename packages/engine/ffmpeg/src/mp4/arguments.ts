import type { FrameFormat } from '@vid/kernel'
import type { FrameRate, RenderPlan } from '@vid/protocol'
import { bt709Filter, bt709Tags } from '../encode/colour.ts'
import { steadyFilter } from '../encode/encode.ts'
import { hardwareKinds } from '../encode/hardware.ts'
import { frameTimescale } from '../encode/timescale.ts'
import type { ExpectedVideo } from '../verify/stream-problems.ts'
import { codecOf, codecs } from './codec.ts'
import { hdrArgs, hdrStream } from './hdr.ts'
import { type Mp4Settings, type VideoSettings, x264Lookahead } from './settings.ts'
import { x265Args } from './x265.ts'

/** Properties of a plan that the options depend on. */
type Picture = Pick<RenderPlan, 'width' | 'height' | 'fps' | 'hdr'>

type Size = Pick<RenderPlan, 'width' | 'height'>

/** Time scale in which every frame time is a whole number. */
const timescale = (fps: FrameRate) => ['-video_track_timescale', `${frameTimescale(fps)}`]

/**
 * Without maxrate and bufsize: with them x264 depends on the progress of its threads, and equal runs differ. A low
 * tolerance keeps the average within a segment instead.
 */
const rate = ({ crf, bitrate }: Pick<VideoSettings, 'crf' | 'bitrate'>) =>
  bitrate === null ? ['-crf', `${crf}`] : ['-b:v', `${bitrate}`]

/** What x265 writes into a stream about its colours, and an analysis that makes sharp edges smaller. */
const SDR_PARAMS = ['tskip=1', 'range=limited', 'colorprim=bt709', 'transfer=bt709', 'colormatrix=bt709']

const x264Params = (settings: VideoSettings, size: Size) =>
  [
    'cpu-independent=1',
    'open-gop=0',
    `rc-lookahead=${x264Lookahead(settings, size)}`,
    ...(settings.bitrate === null ? [] : ['ratetol=0.1']),
  ].join(':')

const x264Args = (settings: VideoSettings, size: Size) => [
  '-pix_fmt',
  'yuv420p',
  '-c:v',
  'libx264',
  '-preset',
  settings.preset,
  ...rate(settings),
  '-threads',
  `${settings.threads}`,
  '-x264-params',
  x264Params(settings, size),
]

/** Options of a hardware encoder: constant quality close to x264's CRF, and no B-frames, since segments are joined. */
const hardwareArgs = (name: string, { crf, bitrate }: VideoSettings) => {
  const quality: Readonly<Record<string, readonly string[]>> = {
    h264_nvenc: ['-rc', 'constqp', '-qp', `${crf}`],
    h264_qsv: ['-global_quality', `${crf}`],
    h264_vaapi: ['-qp', `${crf}`],
    h264_videotoolbox: ['-q:v', `${Math.max(1, 100 - 2 * (crf ?? 0))}`],
  }
  const format = hardwareKinds[name]?.upload.includes('hwupload') ? [] : ['-pix_fmt', 'yuv420p']
  return [...format, '-c:v', name, '-bf', '0', ...(bitrate === null ? (quality[name] ?? []) : ['-b:v', `${bitrate}`])]
}

const hardwareOf = ({ gpu }: VideoSettings) => (typeof gpu === 'string' ? gpu : undefined)

/** Most frames from one key frame to the next, as x264 and x265 have it. */
const KEY_DISTANCE = 250

/** SVT-AV1 takes no key frames at times, only at equal distances. */
const svtArgs = ({ preset, threads, ...quality }: VideoSettings, distance = KEY_DISTANCE) => [
  '-pix_fmt',
  'yuv420p',
  '-c:v',
  'libsvtav1',
  '-preset',
  preset,
  ...rate(quality),
  '-g',
  `${distance}`,
  '-svtav1-params',
  `lp=${threads}`,
]

const x26Args = (settings: VideoSettings, size: Size) => {
  if (codecOf(settings) === 'hevc') return ['-pix_fmt', 'yuv420p', ...x265Args(settings, SDR_PARAMS), ...rate(settings)]
  const name = hardwareOf(settings)
  return name === undefined ? x264Args(settings, size) : hardwareArgs(name, settings)
}

const codecArgs = (settings: VideoSettings, size: Size, distance: number | undefined) => {
  if (codecOf(settings) === 'av1') return svtArgs(settings, distance)
  const keys = distance === undefined ? [] : ['-force_key_frames', `expr:not(mod(n,${distance}))`]
  return [...keys, ...x26Args(settings, size)]
}

/** A filter for `-vf` from captured SDR frames to what the encoder takes. */
export const videoFilter = (format: FrameFormat, settings: VideoSettings, { width, height, fps }: Picture) =>
  [
    bt709Filter(format, width, height),
    steadyFilter(fps),
    ...(hardwareKinds[hardwareOf(settings) ?? '']?.upload ?? []),
  ].join(',')

/** Options for an mp4 whose bytes do not depend on the time or the program, and whose frame times are whole numbers. */
const containerArgs = (fps: FrameRate) => [
  '-flags',
  '+bitexact',
  '-fflags',
  '+bitexact',
  ...timescale(fps),
  '-movflags',
  '+write_colr',
  '-f',
  'mp4',
]

/**
 * ffmpeg's output options for SDR frames that `videoFilter` has converted, with a key frame every `distance` frames;
 * without it, where the encoder puts them.
 */
export const videoArgs = (
  settings: VideoSettings,
  picture: Size & Pick<RenderPlan, 'fps'>,
  distance?: number,
): string[] => [...bt709Tags, ...codecArgs(settings, picture, distance), ...containerArgs(picture.fps)]

/** ffmpeg's output options for a segment of frames of `format`. */
export const mp4SegmentArgs = (format: FrameFormat, settings: Mp4Settings, picture: Picture): string[] => {
  const { width, height, fps, hdr } = picture
  if (!hdr) return ['-vf', videoFilter(format, settings, picture), ...videoArgs(settings, picture)]
  return [...hdrArgs({ width, height, fps, hdr }, settings), ...rate(settings), ...containerArgs(fps)]
}

/** Input options of ffmpeg: the device of a hardware encoder. */
export const deviceArgs = (settings: VideoSettings): readonly string[] =>
  hardwareKinds[hardwareOf(settings) ?? '']?.device ?? []

/**
 * ffmpeg's options for the sound: AAC at 192 kb/s. Of ffmpeg's two ways to choose the precision of each band, `fast` has the
 * noise of a band 6 dB lower on average over tones, speech, drums and music; `twoloop`, the default of newer versions, adds
 * tones of its own to a pure one. It also makes the sound of one plan the same with old and new versions.
 */
export const aacArgs: readonly string[] = ['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', '192k']

/** ffmpeg's output options for the finished file. */
export const mp4FileArgs = ({ fps, hdr, encoder }: Pick<RenderPlan, 'fps' | 'hdr' | 'encoder'>): string[] => [
  ...timescale(fps),
  ...(hdr || codecOf(encoder.settings) === 'hevc' ? ['-tag:v', 'hvc1'] : []),
  '-movflags',
  '+faststart+write_colr',
  '-f',
  'mp4',
]

/** What ffprobe must report for the finished file. */
export const expectedMp4 = ({
  width,
  height,
  hdr,
  encoder,
}: Pick<RenderPlan, 'width' | 'height' | 'hdr' | 'encoder'>): ExpectedVideo => ({
  container: 'mp4',
  video: hdr
    ? hdrStream(hdr)
    : {
        codec: codecOf(encoder.settings),
        codecTag: codecs[codecOf(encoder.settings)].tag,
        pixFmt: 'yuv420p',
        range: 'tv',
        matrix: 'bt709',
        transfer: 'bt709',
        primaries: 'bt709',
      },
  ...(hdr && { mastering: hdr.mastering }),
  size: { width: width + (width % 2), height: height + (height % 2) },
  audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
})
