import { buffer } from 'node:stream/consumers'
import type { Frame, RenderPlan, Verification } from '@vid/kernel'
import { fail } from '../errors.ts'
import { readMastering } from '../probe/mastering.ts'
import { type AudioStream, type MediaInfo, probeMedia, type VideoStream } from '../probe/probe.ts'
import { type FfmpegTools, findFfmpeg, findQuick } from '../tools/find.ts'
import { QUIET, startProcess } from '../tools/process.ts'

/** What a finished video must be, beside what its plan says; left out: not looked at. */
export interface ExpectedVideo {
  /** One of ffmpeg's names of the container. */
  readonly container: string
  readonly video: Partial<
    Pick<
      VideoStream,
      'codec' | 'codecTag' | 'profile' | 'pixFmt' | 'range' | 'matrix' | 'transfer' | 'primaries'
    >
  >
  /** Size as it is encoded, default the plan's. */
  readonly size?: { readonly width: number; readonly height: number }
  /** Tags of the video stream, such as `alpha_mode`. */
  readonly tags?: Readonly<Record<string, string>>
  /** Display that the stream must name as the one it was graded on. */
  readonly mastering?: string
  readonly audio?: Partial<Pick<AudioStream, 'codec' | 'sampleRate' | 'channels'>>
}

/** Longest packet of sound of the codecs in use, seconds: AAC's 1024 samples, plus a rounded time stamp. */
const SOUND_SLACK = 1024 / 48_000 + 0.002

type Value = string | number | undefined
/** One line for each difference between what was found and what was expected. */
const differences = (what: string, found: object, expected: object): string[] =>
  Object.entries(expected as Record<string, Value>).flatMap(([key, wanted]) => {
    const value = (found as Record<string, Value>)[key]
    return wanted === undefined || value === wanted ? [] : [`${what} ${key} is ${value}, not ${wanted}`]
  })

const streamProblems = (
  info: MediaInfo,
  { plan, sound }: Verification,
  expected: ExpectedVideo,
): string[] => {
  const [video] = info.video
  const [audio] = info.audio
  if (!video || info.video.length > 1) return [`it has ${info.video.length} video streams, not 1`]
  const problems = info.container.split(',').includes(expected.container)
    ? []
    : [`the container is ${info.container}, not ${expected.container}`]
  const { width, height } = expected.size ?? plan
  problems.push(...differences('video', video, { ...expected.video, width, height }))
  problems.push(...differences('tag', lowerKeys(video.tags), expected.tags ?? {}))
  if (video.frames !== plan.frames) problems.push(`it has ${video.frames} frames, not ${plan.frames}`)
  const seconds = plan.frames / plan.fps
  const length = video.duration ?? info.duration
  if (length !== undefined && Math.abs(length - seconds) > 1 / plan.fps)
    problems.push(`it lasts ${length} s, not ${seconds}`)
  if (info.audio.length !== (sound ? 1 : 0))
    problems.push(`it has ${info.audio.length} audio streams, not ${sound ? 1 : 0}`)
  if (!audio || !sound) return problems
  problems.push(...differences('audio', audio, expected.audio ?? {}))
  const heard = audio.duration ?? info.duration
  if (heard !== undefined && Math.abs(heard - seconds) > SOUND_SLACK)
    problems.push(`its sound lasts ${heard} s, not ${seconds}`)
  return problems
}

const lowerKeys = (tags: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [key.toLowerCase(), value]))

const isPlain = (pixels: Uint8Array, channels: number) =>
  pixels.every((value, at) => Math.abs(value - (pixels[at % channels] ?? 0)) <= 2)

/** The first picture of an input, small and as rgba. */
const smallPicture = async (
  input: readonly string[],
  tools: FfmpegTools,
  signal: AbortSignal,
  data?: Uint8Array,
): Promise<Uint8Array> => {
  const child = startProcess(tools.ffmpeg, [...QUIET, ...input, ...SMALL], signal)
  child.stdin.end(data)
  const [pixels] = await Promise.all([buffer(child.stdout), child.finished])
  return pixels
}
const SMALL = [
  '-frames:v',
  '1',
  '-vf',
  'scale=64:36:flags=area',
  '-pix_fmt',
  'rgba',
  '-f',
  'rawvideo',
  'pipe:1',
]

const isPlainFrame = async (frame: Frame, tools: FfmpegTools, signal: AbortSignal): Promise<boolean> => {
  if (frame.format === 'rgba') return isPlain(frame.data, 4)
  if (frame.format === 'yuva420p') {
    // Two planes of the whole size, around two of a quarter of it.
    const count = frame.data.length / 2.5
    const planes = [0, count, count * 1.25, count * 1.5, count * 2.5]
    return planes.slice(1).every((end, at) => isPlain(frame.data.subarray(planes[at], end), 1))
  }
  if (frame.format === 'yuv420p' || frame.format === 'yuv420p10') {
    const { buffer: bytes, byteOffset, byteLength } = frame.data
    // Of ten bits, the upper eight.
    const samples =
      frame.format === 'yuv420p'
        ? frame.data
        : Uint8Array.from(
            new Uint16Array(bytes.slice(byteOffset, byteOffset + byteLength)),
            (value) => value >> 2,
          )
    const [luma, chroma] = [Math.floor((samples.length * 2) / 3), Math.floor((samples.length * 5) / 6)]
    const planes = [samples.subarray(0, luma), samples.subarray(luma, chroma), samples.subarray(chroma)]
    return planes.every((plane) => isPlain(plane, 1))
  }
  const input = ['-f', 'image2pipe', '-c:v', frame.format === 'png' ? 'png' : 'mjpeg', '-i', 'pipe:0']
  return isPlain(await smallPicture(input, tools, signal, frame.data), 4)
}

/** Whether a video is one colour where its middle segment begins, which costs least to look at, and in the middle. */
const isPlainVideo = async (
  { artifact, plan }: Verification,
  { decoder = [], signal }: LookOptions,
  tools: FfmpegTools,
): Promise<boolean> => {
  const isPlainAt = async (frame: number, seek: readonly string[]) => {
    const input = [...seek, '-ss', String(frame / plan.fps), ...decoder, '-i', artifact.path]
    return isPlain(await smallPicture(input, tools, signal), 4)
  }
  const middle = middleOf(plan)
  const { start } = plan.segments.findLast((segment) => segment.start <= middle) ?? { start: 0 }
  // Half a frame early: time stamps are rounded.
  return (await isPlainAt(Math.max(0, start - 0.5), ['-skip_frame', 'nokey'])) && isPlainAt(middle, [])
}

const middleOf = ({ frames }: Pick<RenderPlan, 'frames'>) => Math.floor(frames / 2)

interface LookOptions {
  readonly signal: AbortSignal
  /** Options before the input, to decode it. */
  readonly decoder?: readonly string[]
}

/** What some programs find wrong with a video; a video of one colour is right when its page is. */
const findProblems = async (
  made: Verification,
  expected: ExpectedVideo,
  options: LookOptions,
  tools: FfmpegTools,
  isPagePlain: () => Promise<boolean>,
): Promise<string[]> => {
  const { signal } = options
  const [info, lost] = await Promise.allSettled([
    probeMedia(made.artifact.path, { countPackets: true, signal, tools }),
    isPlainVideo(made, options, tools).then(async (plain) => plain && !(await isPagePlain())),
  ])
  signal.throwIfAborted()
  if (info.status === 'rejected') throw info.reason
  const problems = streamProblems(info.value, made, expected)
  if (expected.mastering !== undefined && info.value.video[0]) {
    const { index } = info.value.video[0]
    const { mastering } = await readMastering(made.artifact.path, index, tools, signal)
    problems.push(...differences('video', { mastering }, { mastering: expected.mastering }))
  }
  if (problems.length === 0 && lost.status === 'rejected') throw lost.reason
  if (lost.status === 'fulfilled' && lost.value)
    problems.push('its picture is one colour, and the page is not')
  return problems
}

/** Checks a finished video against its plan before it is handed over; VID_OUTPUT_WRONG lists what differs. */
export const verifyVideo = async (
  made: Verification,
  expected: ExpectedVideo,
  options: LookOptions,
): Promise<void> => {
  const { signal } = options
  const tools = await findFfmpeg({ signal })
  const quick = await findQuick(tools, { signal })
  if (quick) {
    const doubts = await findProblems(made, expected, options, quick, async () => false).catch(
      () => undefined,
    )
    signal.throwIfAborted()
    if (doubts?.length === 0) return
  }
  // What the quick ones doubt, or cannot read, is for those that made it to say.
  const isPagePlain = async () => isPlainFrame(await made.frame(middleOf(made.plan)), tools, signal)
  const problems = await findProblems(made, expected, options, tools, isPagePlain)
  if (problems.length > 0) throw fail('VID_OUTPUT_WRONG', { format: made.plan.format, problems })
}
