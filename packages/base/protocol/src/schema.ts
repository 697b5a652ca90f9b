import { Type } from 'typebox'
import { Settings } from 'typebox/system'

// With the library's 8, a few unknown keys would hide what else is wrong.
Settings.Set({ maxErrors: 1000 })

/**
 * The schema of an object with any values under any names. The library's record is the same, and takes ten times as long
 * for each name.
 */
export const anyObject = (options: { readonly default?: Readonly<Record<string, unknown>> } = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })

/** The schema library, from one place: `scripts/bundle.mjs` packs it into a single file that loads fast. */
export { type Static, type TObject, type TOptional, type TSchema, Type } from 'typebox'
export { Value } from 'typebox/value'
