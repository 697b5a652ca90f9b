import type { Verification } from '@vid/kernel'
import { secondsOf } from '@vid/protocol'
import type { AudioStream, MediaInfo, VideoStream } from '../probe/probe.ts'

/** What a finished video must be, beyond what its plan states; absent fields are not checked. */
export interface ExpectedVideo {
  /** One of ffmpeg's names of the container. */
  readonly container: string
  readonly video: Partial<
    Pick<VideoStream, 'codec' | 'codecTag' | 'profile' | 'pixFmt' | 'range' | 'matrix' | 'transfer' | 'primaries'>
  >
  /** Encoded size; default the plan's. */
  readonly size?: { readonly width: number; readonly height: number }
  /** Tags of the video stream, such as `alpha_mode`. */
  readonly tags?: Readonly<Record<string, string>>
  /** Mastering display that the stream must name. */
  readonly mastering?: string
  readonly audio?: Partial<Pick<AudioStream, 'codec' | 'sampleRate' | 'channels'>>
}

/** Tolerance for the duration of the sound, seconds: the longest packet, AAC's 1024 samples, and rounded time stamps. */
const SOUND_TOLERANCE = 1024 / 48_000 + 0.002

type Value = string | number | undefined

/** One line for each property whose value is not the expected one. */
export const differences = (what: string, actual: object, expected: object): string[] =>
  Object.entries(expected as Record<string, Value>).flatMap(([key, required]) => {
    const value = (actual as Record<string, Value>)[key]
    return required === undefined || value === required ? [] : [`${what} ${key} is ${value}, not ${required}`]
  })

const lowerKeys = (tags: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [key.toLowerCase(), value]))

/** What is wrong with the streams of a finished video: their number, size, duration, codecs and tags. */
export const streamProblems = (
  info: MediaInfo,
  { plan, sound }: Pick<Verification, 'plan' | 'sound'>,
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
  const seconds = secondsOf(plan.frames, plan.fps)
  const duration = video.duration ?? info.duration
  if (duration !== undefined && Math.abs(duration - seconds) > secondsOf(1, plan.fps))
    problems.push(`it lasts ${duration} s, not ${seconds}`)
  if (info.audio.length !== (sound ? 1 : 0))
    problems.push(`it has ${info.audio.length} audio streams, not ${sound ? 1 : 0}`)
  const texts = plan.textTracks?.length ?? 0
  if (info.text.length !== texts) problems.push(`it has ${info.text.length} text tracks, not ${texts}`)
  if (!audio || !sound) return problems
  problems.push(...differences('audio', audio, expected.audio ?? {}))
  const soundDuration = audio.duration ?? info.duration
  if (soundDuration !== undefined && Math.abs(soundDuration - seconds) > SOUND_TOLERANCE)
    problems.push(`its sound lasts ${soundDuration} s, not ${seconds}`)
  return problems
}
