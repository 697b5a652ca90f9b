import { fail } from '../errors.ts'

/** An object of a JSON file. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object with fields. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads values of a JSON file; what is not as expected ends with VID_CAPTIONS_BROKEN, which names its place in it. */
export interface JsonReader {
  /** The objects of an array, each with its place. */
  list(fields: Fields, key: string, place: string): readonly (readonly [Fields, string])[]
  /** A text; empty where it is missing. */
  text(fields: Fields, key: string, place: string): string
  /** Seconds: a number, or its text such as `1.4` or `1.4s`. */
  seconds(fields: Fields, key: string, place: string): number
  /** Seconds of a count of smaller units, such as 1000 for milliseconds. */
  units(fields: Fields, key: string, perSecond: number, place: string): number
  broken(place: string, reason: string): Error
}

/** Creates a reader for a file. */
export const createJsonReader = (file: string): JsonReader => {
  const broken = (place: string, reason: string) => fail('VID_CAPTIONS_BROKEN', { file, place, reason })

  const number = (value: unknown, place: string): number => {
    const seconds = typeof value === 'string' ? Number(value.replace(/s$/, '') || Number.NaN) : value
    if (typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0) return seconds
    throw broken(place, `${JSON.stringify(value) ?? 'a missing value'} is not a time`)
  }

  return {
    list(fields, key, place) {
      const value = fields[key] ?? []
      const path = place === '' ? key : `${place}.${key}`
      if (!Array.isArray(value)) throw broken(path, 'an array is expected')
      return value.map((entry: unknown, index) => {
        if (!isFields(entry)) throw broken(`${path}[${index}]`, 'an object is expected')
        return [entry, `${path}[${index}]`] as const
      })
    },
    text(fields, key, place) {
      const value = fields[key] ?? ''
      if (typeof value === 'string') return value
      throw broken(`${place}.${key}`, 'a text is expected')
    },
    seconds: (fields, key, place) => number(fields[key], `${place}.${key}`),
    units: (fields, key, perSecond, place) =>
      Math.round((number(fields[key], `${place}.${key}`) / perSecond) * 1e6) / 1e6,
    broken,
  }
}

/** A name of a speaker or language; undefined for a missing one. */
export const nonEmptyName = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? `${value}` : undefined
