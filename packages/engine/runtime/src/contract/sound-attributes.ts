import type { Fade, FadeCurve } from './gain-envelope.ts'

/** The lowering of a track under others. */
export interface Ducking {
  /** CSS selector of the media elements under which it is lowered. */
  readonly under: string
  /** Decibels, above 0. */
  readonly depth: number
  /** Seconds. */
  readonly attack: number
  readonly release: number
}

/** What the attributes of a media element say about its sound over time. */
export interface SoundAttributes {
  /** Seconds since its start and gains, ascending. */
  readonly points?: readonly (readonly [number, number])[]
  readonly fadeIn?: Fade
  readonly fadeOut?: Fade
  readonly ducking?: Ducking
  /** Name of its group. */
  readonly bus?: string
  /** -1 is left, 1 is right. */
  readonly pan?: number
}

/** A value that says nothing usable; it is ignored. */
export interface SoundAttributeProblem {
  readonly name: string
  readonly value: string
  /** What is expected, after "is not". */
  readonly expected: string
}

/** Reads an attribute of an element; null where it has none. */
type Read = (name: string) => string | null

const CURVES: readonly FadeCurve[] = ['linear', 'equal-power', 'exponential']

/** The names of all sound attributes that change a gain over time, or its sides. */
export const SOUND_ATTRIBUTES = [
  'data-fade-in',
  'data-fade-out',
  'data-duck-under',
  'data-duck',
  'data-duck-attack',
  'data-duck-release',
  'data-pan',
  'data-bus',
  'data-bus-volumes',
] as const

/** What `data-duck`, `data-duck-attack` and `data-duck-release` are without a value: decibels and seconds. */
const DUCK_DEFAULTS = { depth: 12, attack: 0.2, release: 0.5 }

/** The highest gain and the deepest duck. */
const MAX_GAIN = 3.98
const MAX_DECIBELS = 60

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/

/** A plain number within limits; undefined for anything else. */
const numberIn = (text: string, min: number, max: number): number | undefined => {
  const value = NUMBER.test(text.trim()) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

const parseFade = (text: string): Fade | undefined => {
  const [length = '', curve = 'linear', ...rest] = text.trim().split(/\s+/)
  const seconds = numberIn(length, 0, Number.MAX_SAFE_INTEGER)
  const curveName = CURVES.find((name) => name === curve)
  return seconds && curveName && rest.length === 0 ? { seconds, curve: curveName } : undefined
}

const parsePoints = (text: string): readonly (readonly [number, number])[] | undefined => {
  const points = text.split(',').map((pair) => {
    const [time = '', gain = '', ...rest] = pair.split(':')
    return [numberIn(time, 0, Number.MAX_SAFE_INTEGER), rest.length > 0 ? undefined : numberIn(gain, 0, MAX_GAIN)]
  })
  const isAscending = points.every(([time], index) => index === 0 || Number(time) >= Number(points[index - 1]?.[0]))
  if (!isAscending || points.flat().includes(undefined)) return undefined
  return points.map(([time = 0, gain = 0]) => [time, gain] as const)
}

const BUS = /^[\w-]+$/

/** Reads `data-bus-volumes` of a composition: gains by the names of buses. */
export const readBusVolumes = (text: string): ReadonlyMap<string, number> | undefined => {
  const pairs = text.split(',').map((pair) => {
    const [name = '', gain = '', ...rest] = pair.split(':')
    const isName = BUS.test(name.trim()) && rest.length === 0
    return [name.trim(), isName ? numberIn(gain, 0, MAX_GAIN) : undefined] as const
  })
  if (pairs.some(([, gain]) => gain === undefined)) return undefined
  return new Map(pairs.map(([name, gain = 1]) => [name, gain]))
}

/** Reads the sound attributes of an element, and says which of them are unusable. */
export const readSoundAttributes = (
  read: Read,
): { readonly attributes: SoundAttributes; readonly problems: readonly SoundAttributeProblem[] } => {
  const problems: SoundAttributeProblem[] = []
  const parse = <T>(name: string, expected: string, parser: (text: string) => T | undefined): T | undefined => {
    const value = read(name)
    if (value === null) return undefined
    const result = parser(value)
    if (result === undefined) problems.push({ name, value, expected })
    return result
  }
  const fadeText = 'seconds above 0, with linear, equal-power or exponential behind them'
  const fadeIn = parse('data-fade-in', fadeText, parseFade)
  const fadeOut = parse('data-fade-out', fadeText, parseFade)
  const isKeyed = read('data-volume')?.includes(':') ?? false
  const points = isKeyed
    ? parse('data-volume', 'a list of ascending "seconds:gain", such as 0:0, 1.5:0.8', parsePoints)
    : undefined
  const bus = parse('data-bus', 'a name of letters, digits, - and _', (text) =>
    BUS.test(text.trim()) ? text.trim() : undefined,
  )
  const pan = parse('data-pan', 'a number from -1 (left) to 1 (right)', (text) => numberIn(text, -1, 1))
  const under = parse('data-duck-under', 'a CSS selector', (text) => text.trim() || undefined)
  const seconds = 'seconds from 0'
  const depth = parse('data-duck', `decibels from 0 to ${MAX_DECIBELS}`, (text) => numberIn(text, 0, MAX_DECIBELS))
  const attack = parse('data-duck-attack', seconds, (text) => numberIn(text, 0, Number.MAX_SAFE_INTEGER))
  const release = parse('data-duck-release', seconds, (text) => numberIn(text, 0, Number.MAX_SAFE_INTEGER))
  const ducking = under && {
    under,
    depth: depth ?? DUCK_DEFAULTS.depth,
    attack: attack ?? DUCK_DEFAULTS.attack,
    release: release ?? DUCK_DEFAULTS.release,
  }
  return {
    attributes: {
      ...(points && { points }),
      ...(fadeIn && { fadeIn }),
      ...(fadeOut && { fadeOut }),
      ...(ducking && { ducking }),
      ...(bus && { bus }),
      ...(pan && { pan }),
    },
    problems,
  }
}
