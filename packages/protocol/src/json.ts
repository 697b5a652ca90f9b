import type { Static, TSchema } from './schema.ts'
import { Value } from './schema.ts'

/** The value of a JSON text; undefined for anything else. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value of a JSON text that fits a schema; undefined for anything else. */
export const parseAs = <S extends TSchema>(schema: S, text: string): Static<S> | undefined => {
  const value = parseJson(text)
  return Value.Check(schema, value) ? (value as Static<S>) : undefined
}
