import { expect, test } from 'vitest'
import { readVariablesAttribute } from './variables-attribute.ts'

test('the attribute holds an object, or nothing', () => {
  expect(readVariablesAttribute(null)).toEqual({})
  expect(readVariablesAttribute(' ')).toEqual({})
  expect(readVariablesAttribute('{"title":"A"}')).toEqual({ title: 'A' })
})

test.each(['{', '[1]', 'null', '"a"'])('%s is an error with a code', (text) => {
  expect(() => readVariablesAttribute(text)).toThrow(expect.objectContaining({ code: 'VID_PLAYER_VARIABLES' }))
})
