/** How the gain rises within a fade; a fade out mirrors it. */
export type FadeCurve = 'linear' | 'equal-power' | 'exponential'

/** A fade from or to silence. */
export interface Fade {
  /** Seconds, above 0. */
  readonly seconds: number
  readonly curve: FadeCurve
}

/** A stretch in which a track is lowered under others, in seconds of the whole composition. */
export interface Duck {
  readonly start: number
  readonly end: number
  /** Decibels by which it is lowered, above 0. */
  readonly depth: number
  /** Seconds before `start` in which it is lowered. */
  readonly attack: number
  /** Seconds after `end` in which it returns. */
  readonly release: number
}

/** What the attributes of a media element do to its gain over time. */
export interface GainEnvelope {
  /** Seconds since the element's start, ascending, and gains; straight lines between them. They replace its volume. */
  readonly points?: readonly (readonly [number, number])[]
  readonly fadeIn?: Fade
  readonly fadeOut?: Fade
  readonly ducks?: readonly Duck[]
  /** Gain of the group that it belongs to. */
  readonly bus?: number
}

/** When an element is heard, in seconds of the whole composition. */
export interface HeardWindow {
  readonly start: number
  readonly end: number
  readonly heardFrom?: number | undefined
  readonly heardUntil?: number | undefined
}

/** Decibels at which an exponential fade begins. */
const FLOOR_DB = -60

const gainOfDecibels = (decibels: number): number => 10 ** (decibels / 20)

const fadeGain = ({ seconds, curve }: Fade, passed: number): number => {
  const share = Math.min(Math.max(passed / seconds, 0), 1)
  if (curve === 'equal-power') return Math.sin((share * Math.PI) / 2)
  if (curve === 'exponential') return share === 0 ? 0 : gainOfDecibels(FLOOR_DB * (1 - share))
  return share
}

/** The gain of straight lines between points, constant before the first and after the last. */
const pointGain = (points: readonly (readonly [number, number])[], seconds: number): number => {
  const next = points.findIndex(([time]) => time > seconds)
  const [time, gain] = points[next < 0 ? points.length - 1 : Math.max(0, next - 1)] ?? [0, 1]
  const [nextTime, nextGain] = points[Math.max(0, next)] ?? [0, 1]
  if (next <= 0 || nextTime === time) return gain
  return gain + ((nextGain - gain) * (seconds - time)) / (nextTime - time)
}

/** Share of its depth by which a duck lowers at a time, 0 … 1. */
const duckShare = ({ start, end, attack, release }: Duck, time: number): number => {
  if (time < start) return attack > 0 ? Math.max(0, 1 - (start - time) / attack) : 0
  if (time < end) return 1
  return release > 0 ? Math.max(0, 1 - (time - end) / release) : 0
}

/** Times are sums of decimal fractions, which binary numbers only approximate. */
const ROUNDING_SECONDS = 1e-9

/**
 * The gain of an element at a time of the whole composition; `volume` is its gain where no points replace it. Where
 * several ducks overlap, the deepest one counts.
 */
export const gainAtTime = (envelope: GainEnvelope, window: HeardWindow, volume: number, time: number): number => {
  const { points, fadeIn, fadeOut, ducks = [], bus = 1 } = envelope
  const now = time + ROUNDING_SECONDS
  const base = points ? pointGain(points, now - window.start) : volume
  const from = Math.max(window.start, window.heardFrom ?? 0)
  const until = Math.min(window.end, window.heardUntil ?? Infinity)
  const rising = fadeIn ? fadeGain(fadeIn, now - from) : 1
  const falling = fadeOut && Number.isFinite(until) ? fadeGain(fadeOut, until - now) : 1
  const lowered = Math.max(0, ...ducks.map((duck) => duck.depth * duckShare(duck, now)))
  return base * rising * falling * bus * gainOfDecibels(-lowered)
}

/** Whether an envelope has the same gain at all times. */
const isConstant = ({ points, fadeIn, fadeOut, ducks }: GainEnvelope): boolean =>
  !points && !fadeIn && !fadeOut && !ducks

/** The gains of an element at some times of the whole composition; a single one where it never changes. */
export const gainsAtTimes = (
  envelope: GainEnvelope,
  window: HeardWindow,
  volume: number,
  times: readonly number[],
): readonly number[] =>
  isConstant(envelope)
    ? [gainAtTime(envelope, window, volume, window.start)]
    : times.map((time) => gainAtTime(envelope, window, volume, time))
