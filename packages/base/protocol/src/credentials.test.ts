import { expect, test } from 'vitest'
import { VidError, withoutCredentials } from './index.ts'

test.each([
  ['fetch https://ada:pw@example.com/a.mp4', 'fetch https://example.com/a.mp4'],
  ['https://example.com/a.mp4?x=1&X-Amz-Signature=abc123&y=2: it is gone.', 'https://example.com/a.mp4?…: it is gone.'],
  ['"https://example.com/a.mp4?access_token=abc"', '"https://example.com/a.mp4?…"'],
  ['(see https://example.com/a?abc123).', '(see https://example.com/a?…).'],
  ['https://example.com/?sig=1 and wss://example.com/s?t=2', 'https://example.com/?… and wss://example.com/s?…'],
  ['//cdn.example.com/a.mp4?Signature=abc', '//cdn.example.com/a.mp4?…'],
  ['<img src="clip.mp4?token=abc">', '<img src="clip.mp4?…">'],
  ['https://example.com/#access_token=abc', 'https://example.com/#access_token=…'],
  ['{"Authorization":"Bearer a\\"b","accept":"*/*"}', '{"Authorization":"…","accept":"*/*"}'],
  ['{"Set-Cookie":"id=1"}', '{"Set-Cookie":"…"}'],
])('credentials are left out of %s', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown)
})

test.each([
  'https://cdn.example.com/npm/gsap@3/dist/gsap.js',
  'Is it there? Write data-width="1920" on it.',
  'a text of two lines\nand a question?',
])('%s stays as it is', (text) => {
  expect(withoutCredentials(text)).toBe(text)
})

test('a long text takes no longer than its length', () => {
  for (const part of ['a.', 'a://', '?a=', 'https://', '::::', '?;'])
    expect(withoutCredentials(part.repeat(20_000)).length).toBeGreaterThan(0)
})

test('an error carries no query in its message, its hint, its stack and its JSON', () => {
  const text = 'https://example.com/a.mp4?X-Amz-Signature=abc123'
  const error = new VidError('VID_X', { message: text, hint: text, fault: 'render' })
  expect(`${error.message} ${error.hint} ${error.stack} ${JSON.stringify(error)}`).not.toContain('abc123')
})
