import { ADJUSTMENT_LIMITS, type Adjustments, GRADING_PRESETS } from './grading-presets.ts'

/** A grading in full: every correction, and how much of the corrected picture is shown, 0 to 1. */
export interface Grading {
  readonly intensity: number
  readonly adjust: Adjustments
}

/** Limits that a hostile attribute must not exceed, in nested levels. */
const MOST_LEVELS = 10

const WHOLE_NAME = /^\$(?:\{([^{}]+)\}|([\w-]+))$/

/** Replaces each text that is nothing but a variable's name; a longer text stays as it is. */
const substitute = (value: unknown, variables: Readonly<Record<string, unknown>>, level = 0): unknown => {
  if (typeof value === 'string') {
    const [, braced, bare] = WHOLE_NAME.exec(value) ?? []
    const name = braced ?? bare
    return name !== undefined && Object.hasOwn(variables, name) ? variables[name] : value
  }
  if (!(value instanceof Object) || level > MOST_LEVELS) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, substitute(inner, variables, level + 1)]),
  )
}

/** A number within its limits; undefined for what is none. A variable may hold it as text. */
const numberWithin = (value: unknown, least: number, most: number): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  return Math.min(most, Math.max(least, number))
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  value instanceof Object ? (value as Record<string, unknown>) : {}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads `data-color-grading` with the variables of its composition; null when it changes nothing or is no object. */
export const readGrading = (text: string, variables: Readonly<Record<string, unknown>>): Grading | null => {
  const parsed = parse(text)
  if (!(parsed instanceof Object) || Array.isArray(parsed)) return null
  const { preset, intensity, adjust } = fieldsOf(substitute(parsed, variables))
  const known = typeof preset === 'string' && Object.hasOwn(GRADING_PRESETS, preset)
  const base: Partial<Adjustments> = (known && GRADING_PRESETS[preset]) || {}
  const explicit = fieldsOf(adjust)
  const corrections = Object.entries(ADJUSTMENT_LIMITS).map(([field, limit]) => [
    field,
    numberWithin(explicit[field], -limit, limit) ?? base[field as keyof Adjustments] ?? 0,
  ])
  const amount = numberWithin(intensity, 0, 1) ?? 1
  if (amount === 0 || corrections.every(([, value]) => value === 0)) return null
  return { intensity: amount, adjust: Object.fromEntries(corrections) as Adjustments }
}
