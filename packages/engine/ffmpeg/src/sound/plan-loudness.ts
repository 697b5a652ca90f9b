import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson, type PlanContext } from '@vid/kernel'
import { type RenderPlan, secondsOf, type Warning } from '@vid/protocol'
import { ffmpegWarning } from '../warnings.ts'
import { findTracks } from './audio-mixer.ts'
import { CEILING, limitSound, MAX_LEVEL } from './limited-mix.ts'
import { createLoudnessMeter, integrate } from './loudness.ts'
import { measureLoudness } from './measure-loudness.ts'
import { withSound } from './sound-file.ts'
import { mixAudio } from './sound-mix.ts'
import { CHANNELS, type SoundReader } from './sound-reader.ts'
import { WAV_HEADER_BYTES } from './wav.ts'

/** LU from the target within which a gain is good. */
const TOLERANCE = 0.03

/** LU from the target beyond which it counts as missed. */
const MISSED = 0.2

/** Gains that are tried. */
const MAX_PASSES = 6

/** dB by which a gain may exceed the plain difference, to make up for what the limiter takes away. */
const MAX_EXTRA = 12

/** Least part of a change of the gain that is taken to arrive behind the limiter. */
const MIN_SLOPE = 0.2

/** A sound that was mixed, without a limit. */
interface Mix {
  readonly sound: SoundReader
  readonly samples: number
  readonly signal: AbortSignal
}

/** A gain in dB, and the LUFS that it leads to. */
interface Trial {
  readonly gain: number
  readonly loudness: number
}

const round = (value: number) => Math.round(value * 100) / 100

/** Integrated loudness behind the limiter. */
const limitedLoudness = async ({ sound, ...rest }: Mix, gain: number): Promise<number> => {
  const meter = createLoudnessMeter()
  for await (const piece of limitSound(sound, { ...rest, gain }))
    for (let n = 0; n < piece.length; n += CHANNELS) meter.add(piece[n] ?? 0, piece[n + 1] ?? 0)
  return integrate(meter.steps) ?? Number.NEGATIVE_INFINITY
}

/** The gain whose result is nearest to a target, by the secant method. */
const findGain = async (mix: Mix, target: number, plain: number): Promise<Trial> => {
  let gain = plain
  let slope = 1
  const trials: Trial[] = []
  while (trials.length < MAX_PASSES) {
    const loudness = await limitedLoudness(mix, gain)
    const before = trials.at(-1)
    trials.push({ gain, loudness })
    if (Math.abs(loudness - target) <= TOLERANCE) break
    if (before) slope = Math.min(1, Math.max(MIN_SLOPE, (loudness - before.loudness) / (gain - before.gain)))
    const next = round(Math.min(gain + (target - loudness) / slope, plain + MAX_EXTRA))
    if (next === gain) break
    gain = next
  }
  const distance = ({ loudness }: Trial) => Math.abs(loudness - target)
  return trials.reduce((best, trial) => (distance(trial) < distance(best) ? trial : best))
}

/** Plans the gain of a sound that was mixed into a file; undefined for one that cannot be measured. */
const measure = async (
  file: string,
  target: number,
  { warn, signal }: Pick<PlanContext, 'warn' | 'signal'>,
): Promise<RenderPlan['loudness']> => {
  const { integrated, truePeak, samples } = await measureLoudness(file, signal)
  if (integrated === null || truePeak === null) {
    warn(ffmpegWarning('VID_LOUDNESS_UNMEASURED', { target }))
    return undefined
  }
  const plain = round(target - integrated)
  const find = (sound: SoundReader) => findGain({ sound, samples, signal }, target, plain)
  const isLimited = truePeak + plain > CEILING
  const { gain, loudness } = isLimited
    ? await withSound(file, find, WAV_HEADER_BYTES)
    : { gain: plain, loudness: target }
  if (Math.abs(loudness - target) > MISSED)
    warn(ffmpegWarning('VID_LOUDNESS_MISSED', { target, reached: Number(loudness.toFixed(1)) }))
  return { target, integrated: round(integrated), truePeak: round(truePeak), gain }
}

type LoudnessContext = Omit<PlanContext, 'probe'>

/** Mixes the sound of a whole composition, and plans its gain. */
const measureMix = async (
  plan: RenderPlan,
  target: number,
  context: LoudnessContext,
): Promise<RenderPlan['loudness']> => {
  const { sources, signal, warn, workDir } = context
  const file = join(workDir, 'measured.wav')
  try {
    const tracks = await findTracks({ plan, sources, signal })
    const until = secondsOf(plan.frames, plan.fps)
    const { trackCount } = await mixAudio({ tracks, until, output: file, maxLevel: MAX_LEVEL, signal, warn })
    return trackCount > 0 ? await measure(file, target, context) : undefined
  } finally {
    await rm(file, { force: true })
  }
}

/** Measures a composition once for all renders that share its sound; each repeats the warnings. */
const measureShared = async (
  plan: RenderPlan,
  target: number,
  context: LoudnessContext,
): Promise<RenderPlan['loudness']> => {
  const { request, sounds, signal } = context
  const measureOnce = async () => {
    const warnings: Warning[] = []
    const warn = (warning: Warning) => void warnings.push(warning)
    const loudness = await measureMix(plan, target, { ...context, warn })
    return { loudness, warnings, close: async () => {} }
  }
  const key = canonicalJson(['loudness', request.projectDir, target, plan.audio, plan.frames, plan.fps])
  // Another render may have begun it, and may have been stopped.
  const lease = await sounds?.acquire(key, measureOnce).catch(() => undefined)
  signal.throwIfAborted()
  if (!lease) return measureMix(plan, target, context)
  lease.release()
  for (const warning of lease.value.warnings) context.warn(warning)
  return lease.value.loudness
}

/** Measures the sound of a whole composition, and plans the gain that gives it the requested loudness. */
export const planLoudness = async (plan: RenderPlan, context: LoudnessContext): Promise<RenderPlan> => {
  const { loudness: target = 'off' } = context.request
  if (target === 'off' || plan.audio.length === 0) return plan
  const loudness = await measureShared(plan, target, context)
  return loudness ? { ...plan, loudness } : plan
}
