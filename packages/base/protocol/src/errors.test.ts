import { expect, test } from 'vitest'
import { defineErrors, exitCodeOf, httpStatusOf, isVidError } from './index.ts'

const fail = defineErrors({
  VID_SIZE: (f: { size: number }) => ({ message: `size ${f.size}`, hint: 'give another', fault: 'caller' }),
  VID_DRAWING: (_: object) => ({ message: 'not drawn', hint: 'draw it', fault: 'render' }),
  VID_DISK: (_: object) => ({ message: 'disk full', hint: 'make room', fault: 'machine', final: true }),
  VID_CANCELLED: (_: object) => ({ message: 'cancelled', hint: 'start again', fault: 'render' }),
  VID_REQUEST_INVALID: (_: object) => ({ message: 'no JSON', hint: 'write JSON', fault: 'caller' }),
})

test('the exit code and the HTTP status follow from the fault of an error', () => {
  const outcomes = (['VID_SIZE', 'VID_DRAWING', 'VID_DISK', 'VID_CANCELLED', 'VID_REQUEST_INVALID'] as const).map(
    (code) => {
      const error = fail(code, { size: 0 })
      return [code, exitCodeOf(error), httpStatusOf(error)]
    },
  )
  expect(outcomes).toEqual([
    ['VID_SIZE', 2, 400],
    ['VID_DRAWING', 1, 500],
    ['VID_DISK', 1, 503],
    ['VID_CANCELLED', 1, 499],
    ['VID_REQUEST_INVALID', 2, 400],
  ])
})

test('JSON of an error includes its fault, but not its cause', () => {
  const error = fail('VID_DISK', {}, { plugin: 'a-plugin', hook: 'encode', cause: new Error('ENOSPC') })
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    code: 'VID_DISK',
    message: 'disk full',
    hint: 'make room',
    fault: 'machine',
    plugin: 'a-plugin',
    hook: 'encode',
  })
  expect(isVidError(error)).toBe(true)
})

test('an error is final for a wrong input, or when the table marks it so', () => {
  expect([fail('VID_SIZE', { size: 0 }), fail('VID_DRAWING', {}), fail('VID_DISK', {})].map((e) => e.final)).toEqual([
    true,
    false,
    true,
  ])
})
