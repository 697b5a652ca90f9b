import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { defineErrors } from '@vid/kernel'
import { expect, test } from 'vitest'
import { createWording } from './wording.ts'

const throwing = defineErrors({
  VID_TEST: (f: { path: string }) => ({
    message: `${f.path} is broken`,
    hint: `look at ${f.path}`,
    fault: 'render',
  }),
  VID_UNEXPECTED: (f: { path: string }) => ({ message: `stack of ${f.path}`, hint: '', fault: 'render' }),
})

test('failures and warnings are told without paths of the server', () => {
  const own = resolve(tmpdir(), '..', 'vid-server')
  const wording = createWording([own])
  for (const folder of [join(own, 'vid-job-1'), join(tmpdir(), 'vid-work-1')]) {
    const path = join(folder, 'project/index.html')
    const { code, message } = wording.failure(throwing('VID_TEST', { path }))
    expect([code, message]).toEqual(['VID_TEST', '…/index.html is broken; look at …/index.html'])
    expect(wording.warning({ code: 'VID_W', message: `no ${path}`, hint: path })).toEqual({
      ...{ code: 'VID_W', message: 'no …/index.html', hint: '…/index.html' },
    })
  }
})

test('what programs wrote is left to the log', () => {
  const { message } = createWording([]).failure(throwing('VID_UNEXPECTED', { path: '/srv/secret' }))
  expect(message).not.toContain('secret')
})
