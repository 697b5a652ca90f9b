import { type RenderPlan, type Static, Type } from '@vid/protocol'
import { x264Core } from '../encode/x264.ts'
import { fail } from '../errors.ts'
import { recall } from '../tools/build-memory.ts'
import { type FfmpegTools, findFfmpeg } from '../tools/find.ts'
import { QUIET, runForOutput, runProcess } from '../tools/process.ts'

/** Codecs of an mp4. */
export const CodecSchema = Type.Union([Type.Literal('h264'), Type.Literal('hevc'), Type.Literal('av1')])

/** A codec of an mp4. */
export type Codec = Static<typeof CodecSchema>

/** What encodes a codec, and how an mp4 names it. */
export interface CodecFacts {
  /** Name for readers. */
  readonly title: string
  /** Name of the library, which is ffmpeg's name of the encoder. */
  readonly library: string
  /** FourCC of the track; QuickTime and Safari play HEVC as `hvc1` only. */
  readonly tag: string
  /** Fewest pixels in each direction that its encoder takes. */
  readonly minSide: number
}

/** The codecs in the order in which they are listed. */
export const codecs: Readonly<Record<Codec, CodecFacts>> = {
  h264: { title: 'H.264', library: 'libx264', tag: 'avc1', minSide: 2 },
  hevc: { title: 'HEVC', library: 'libx265', tag: 'hvc1', minSide: 16 },
  av1: { title: 'AV1', library: 'libsvtav1', tag: 'av01', minSide: 64 },
}

/** The codec of the settings of an mp4 or of an hls video in a plan. */
export const codecOf = ({ codec }: RenderPlan['encoder']['settings'] = {}): Codec =>
  codec === 'hevc' || codec === 'av1' ? codec : 'h264'

/** Refuses a picture that is smaller than the encoder of a codec takes, once its sides are even; fails with VID_CODEC_SIZE. */
export const checkCodecSize = (codec: Codec, { width, height }: Pick<RenderPlan, 'width' | 'height'>): void => {
  const { title, minSide } = codecs[codec]
  const side = Math.min(width, height)
  if (side + (side % 2) < minSide) throw fail('VID_CODEC_SIZE', { codec, title, width, height, minSide })
}

/** Whether a build of ffmpeg can encode with a library. */
const hasLibrary = async ({ ffmpeg }: Pick<FfmpegTools, 'ffmpeg'>, library: string, signal: AbortSignal) =>
  new RegExp(` ${library} `).test(
    await recall(ffmpeg, 'encoders', () => runProcess(ffmpeg, ['-hide_banner', '-v', 'error', '-encoders'], signal)),
  )

/** The codecs that a build of ffmpeg can encode. */
export const encodableCodecs = async (tools: Pick<FfmpegTools, 'ffmpeg'>, signal: AbortSignal): Promise<Codec[]> => {
  const able: Codec[] = []
  for (const codec of ['h264', 'hevc', 'av1'] as const)
    if (await hasLibrary(tools, codecs[codec].library, signal)) able.push(codec)
  return able
}

const TRIAL = ['-nostdin', '-f', 'lavfi', '-i', 'color=s=64x64', '-frames:v', '1', '-pix_fmt', 'yuv420p']

/** How a library names itself: x265 in its stream, SVT-AV1 on stderr. */
const versionReaders: Readonly<Record<'hevc' | 'av1', readonly [format: string, banner: RegExp]>> = {
  hevc: ['hevc', /x265 \(build \d+\) - ([^:\0]+)/],
  av1: ['ivf', /SVT-AV1 Encoder Lib v?(\S+)/],
}

/** Version of the library inside ffmpeg, from a tiny encoded picture. */
const libraryVersion = async (
  codec: 'hevc' | 'av1',
  { ffmpeg }: Pick<FfmpegTools, 'ffmpeg'>,
  signal: AbortSignal,
): Promise<string> => {
  const [format, banner] = versionReaders[codec]
  const args = [...QUIET, ...TRIAL, '-c:v', codecs[codec].library, '-f', format, 'pipe:1']
  return recall(ffmpeg, codec, async () => {
    const { stdout, printed } = await runForOutput(ffmpeg, args, signal)
    return banner.exec(`${stdout}${printed}`)?.[1] ?? 'unknown'
  })
}

/** Name of what encodes a codec: the builds of ffmpeg and of the library in it; VID_CODEC_MISSING without that. */
export const codecBuild = async (codec: Codec, signal: AbortSignal): Promise<string> => {
  const tools = await findFfmpeg({ signal })
  if (codec === 'h264') return `ffmpeg ${tools.build}, x264 ${await x264Core(tools, signal)}`
  const { title, library } = codecs[codec]
  if (!(await hasLibrary(tools, library, signal)))
    throw fail('VID_CODEC_MISSING', { codec, title, library, version: tools.version, ffmpeg: tools.ffmpeg })
  return `ffmpeg ${tools.build}, ${library} ${await libraryVersion(codec, tools, signal)}`
}
