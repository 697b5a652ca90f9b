/** The schema library, from one place: `scripts/bundle.mjs` packs it into a single file that loads fast. */
export { type Static, type TObject, type TOptional, type TSchema, Type } from 'typebox'
export { Value } from 'typebox/value'
