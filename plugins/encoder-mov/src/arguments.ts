import { bt709AlphaFilter, bt709Tags, type ExpectedVideo, frameTimescale } from '@vid/ffmpeg'
import type { FrameRate } from '@vid/kernel'
import type { MovSettings } from './settings.ts'

/** Time scale in which every frame time is a whole number. */
const timescale = (fps: FrameRate) => ['-video_track_timescale', `${frameTimescale(fps)}`]

/** Writes the colour tags of each frame, which the encoder leaves unset. */
const FRAME_TAGS = 'prores_metadata=color_primaries=bt709:color_trc=bt709:colorspace=bt709'

/** FourCC of ProRes 4444. */
export const TAG = 'ap4h'

/** Output options of ffmpeg for a stream of bare ProRes frames. */
export const pictureArgs = ({ quantizer, threads }: MovSettings): string[] => [
  '-vf',
  bt709AlphaFilter('yuva444p10le'),
  ...bt709Tags,
  '-c:v',
  'prores_ks',
  '-profile:v',
  '4',
  '-vendor',
  'apl0',
  '-alpha_bits',
  '16',
  ...(quantizer === null ? [] : ['-qscale:v', `${quantizer}`]),
  '-bsf:v',
  FRAME_TAGS,
  '-threads',
  `${threads}`,
  '-flags',
  '+bitexact',
  '-fflags',
  '+bitexact',
  '-f',
  'rawvideo',
]

/** Length of the ProRes frame at the start of `buffer`; undefined while its end is missing. */
export const pictureBytes = (buffer: Buffer): number | undefined => {
  const bytes = buffer.length < 4 ? Infinity : buffer.readUInt32BE(0)
  return bytes <= buffer.length ? bytes : undefined
}

/** ffmpeg's output options for the finished file. */
export const movFileArgs = (fps: FrameRate): string[] => [
  ...timescale(fps),
  '-movflags',
  '+faststart+write_colr',
  '-f',
  'mov',
]

/** What ffprobe must report for the finished file. */
export const expectedMov: ExpectedVideo = {
  container: 'mov',
  video: { codec: 'prores', codecTag: TAG },
  audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
}
