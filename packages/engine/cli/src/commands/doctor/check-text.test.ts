import { expect, test } from 'vitest'
import type { Check } from './check.ts'
import { checkText } from './check-text.ts'

const check: Check = {
  name: 'delivery @vid/deliver-s3',
  ok: false,
  required: true,
  detail: 'VID_S3_BUCKET: no such bucket',
  hint: 'check it',
  missing: 'delivered results',
  command: '',
}

test('a name of any length stands apart from what is said about it', () => {
  expect(checkText(check, undefined, (_kind, text) => text).split('\n')).toEqual([
    'FAIL  delivery @vid/deliver-s3 VID_S3_BUCKET: no such bucket',
    expect.stringMatching(/^ {26}without it: delivered results$/),
    expect.stringMatching(/^ {26}check it$/),
  ])
  expect(
    checkText({ ...check, name: 'browser', ok: true, missing: '', hint: '' }, undefined, (_kind, text) => text),
  ).toBe('ok    browser             VID_S3_BUCKET: no such bucket')
})
