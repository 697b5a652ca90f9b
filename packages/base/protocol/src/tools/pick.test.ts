import { expect, test } from 'vitest'
import { defined, pick } from './pick.ts'

test('what is undefined is left out, and nothing else', () => {
  expect(defined({ a: undefined, b: null, c: 0, d: '', e: false })).toStrictEqual({ b: null, c: 0, d: '', e: false })
})

test('only the names that are asked for are taken, as far as they are set', () => {
  const values: { a?: number; b?: string | undefined; c?: boolean } = { a: 1, b: undefined, c: false }
  expect(pick(values, ['a', 'b'])).toStrictEqual({ a: 1 })
})
