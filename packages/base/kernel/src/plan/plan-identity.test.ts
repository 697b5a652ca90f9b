import { expect, test } from 'vitest'
import { canonicalJson } from './plan-identity.ts'

test('data with the same content has the same text, in whatever order its keys were written', () => {
  const one = { b: [{ z: 1, y: null }], a: { d: 'x', c: true }, left: undefined }
  const other = { a: { c: true, d: 'x' }, b: [{ y: null, z: 1 }] }
  expect(canonicalJson(one)).toBe(canonicalJson(other))
  expect(canonicalJson(one)).toBe('{"a":{"c":true,"d":"x"},"b":[{"y":null,"z":1}]}')
})

test('a key may have any name, and an item of a list keeps its place', () => {
  expect(canonicalJson(JSON.parse('{"toString":2,"__proto__":{"b":1,"a":2},"10":1,"9":[3,1,2]}'))).toBe(
    '{"9":[3,1,2],"10":1,"__proto__":{"a":2,"b":1},"toString":2}',
  )
  expect(canonicalJson([undefined, 1])).toBe('[null,1]')
})
