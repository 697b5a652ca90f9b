import { ADJUSTMENT_LIMITS, type Adjustments, GRADING_PRESETS } from './grading-presets.ts'

/** A grading in full: every correction, and how much of the corrected picture is shown, 0 to 1. */
export interface Grading {
  readonly intensity: number
  readonly adjust: Adjustments
}

/** A deeper nested attribute is not read: it may be hostile. */
const MAX_LEVELS = 10

const WHOLE_NAME = /^\$(?:\{([^{}]+)\}|([\w-]+))$/

/** Replaces each string that is only a variable's name by the value; a longer string stays as it is. */
const substitute = (value: unknown, variables: Readonly<Record<string, unknown>>, level = 0): unknown => {
  if (typeof value === 'string') {
    const [, braced, bare] = WHOLE_NAME.exec(value) ?? []
    const name = braced ?? bare
    return name !== undefined && Object.hasOwn(variables, name) ? variables[name] : value
  }
  if (!(value instanceof Object) || level > MAX_LEVELS) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, substitute(inner, variables, level + 1)]))
}

/** A number within limits; undefined for another value. A variable may contain it as a string. */
const numberWithin = (value: unknown, min: number, max: number): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  return Math.min(max, Math.max(min, number))
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
  const isPreset = typeof preset === 'string' && Object.hasOwn(GRADING_PRESETS, preset)
  const base: Partial<Adjustments> = (isPreset && GRADING_PRESETS[preset]) || {}
  const explicit = fieldsOf(adjust)
  const corrections = Object.entries(ADJUSTMENT_LIMITS).map(([field, limit]) => [
    field,
    numberWithin(explicit[field], -limit, limit) ?? base[field as keyof Adjustments] ?? 0,
  ])
  const amount = numberWithin(intensity, 0, 1) ?? 1
  if (amount === 0 || corrections.every(([, value]) => value === 0)) return null
  return { intensity: amount, adjust: Object.fromEntries(corrections) as Adjustments }
}
