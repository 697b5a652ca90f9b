import { expect, test } from 'vitest'
import { lastWords } from '../engine/engine-call.ts'
import { errorOfEnd } from './end-without-answer.ts'

const errorOf = (hasAnswered: boolean) =>
  errorOfEnd({ program: 'podman' } as never, {} as never, {
    exit: 127,
    stderr: 'Error: timed out',
    hasAnswered,
  })

test('a container that ran has ended, whatever its engine exits with; one that said nothing did not start', () => {
  expect(errorOf(true)).toMatchObject({
    code: 'VID_CONTAINER_ENDED',
    message: expect.stringContaining('127'),
  })
  expect(errorOf(false).code).toBe('VID_CONTAINER_NOT_STARTED')
})

test('long last words are cut between words, and say so', () => {
  const words = lastWords(`first ${'word '.repeat(300)}last`)
  expect(words).toMatch(/^… word word .* last$/)
  expect(words.length).toBeLessThan(610)
  expect(lastWords('a\nb')).toBe('a | b')
})
