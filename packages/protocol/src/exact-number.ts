import { Type } from './schema.ts'

/** Schema of an exact number: a whole number, or a fraction in lowest terms as text. */
export const ExactNumberSchema = Type.Union([
  Type.Integer({ minimum: 1 }),
  Type.String({ pattern: '^[1-9]\\d{0,9}/[1-9]\\d{0,9}$' }),
])
