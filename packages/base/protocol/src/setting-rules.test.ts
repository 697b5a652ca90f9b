import { expect, test } from 'vitest'
import { checkRequest, type RenderRequest } from './index.ts'

const TIME = 'a time such as 2s, 1.5, 500ms, 60f, 50% or 1:30.5'

test.each([
  ['poster', 'soon', TIME],
  ['from', '1:2:3:4', TIME],
  ['to', 5, TIME],
  ['resolution', '0x0', 'a size such as 1280x720'],
  ['videoBitrate', 'many', 'bits per second, like 10M or 5000k'],
])('%s %j is refused in the words of its setting', (name, value, rule) => {
  const request = { projectDir: '/project', output: 'video.mp4', [name]: value } as unknown as RenderRequest
  expect(() => checkRequest(request)).toThrow(`${name} must be ${rule}; got ${JSON.stringify(value)}`)
})
