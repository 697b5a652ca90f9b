import { VidError } from '@vid/protocol'
import { expect, test } from 'vitest'
import { asLambdaError } from './thrown-error.ts'

const text = { message: 'no font', hint: 'install it', fault: 'render' } as const

test('an error keeps its code as its name, and all that it says as JSON', () => {
  const thrown = asLambdaError(new VidError('VID_FONT_NOT_LOADED', { ...text, final: true }))
  expect(thrown.name).toBe('VID_FONT_NOT_LOADED')
  expect(JSON.parse(thrown.message)).toEqual({ code: 'VID_FONT_NOT_LOADED', ...text })
})

test('a final error of a plugin that no table knows has a name that the workflow knows', () => {
  const thrown = asLambdaError(new VidError('ACME_BROKEN', { ...text, final: true }))
  expect(thrown.name).toBe('VID_LAMBDA_PLUGIN_FINAL')
  expect(JSON.parse(thrown.message)).toMatchObject({
    code: 'ACME_BROKEN',
    message: expect.stringContaining('no font'),
  })
  expect(asLambdaError(new VidError('ACME_BUSY', text)).name).toBe('ACME_BUSY')
})

test('a message of any length fits into the history of an execution', () => {
  const message = 'long '.repeat(100_000)
  expect(asLambdaError(new VidError('VID_UNEXPECTED', { ...text, message })).message.length).toBeLessThan(20_000)
})
