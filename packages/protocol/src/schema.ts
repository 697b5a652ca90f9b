import { Settings } from 'typebox/system'

// With the library's 8, a few unknown keys would hide what else is wrong.
Settings.Set({ maxErrors: 1000 })

/** The schema library, from one place: `scripts/bundle.mjs` packs it into a single file that loads fast. */
export { type Static, type TObject, type TOptional, type TSchema, Type } from 'typebox'
export { Value } from 'typebox/value'
