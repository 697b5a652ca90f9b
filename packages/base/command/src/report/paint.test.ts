import { expect, test } from 'vitest'
import { createPaint } from './paint.ts'

test.each([
  ['a terminal', { isTTY: true }, {}, '\u001b[32mok\u001b[0m'],
  ['a terminal with NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, 'ok'],
  ['a terminal without abilities', { isTTY: true }, { TERM: 'dumb' }, 'ok'],
  ['a file', {}, {}, 'ok'],
])('text for %s has the colours that fit', (_, stream, env, text) => {
  expect(createPaint(stream, env)('good', 'ok')).toBe(text)
})
