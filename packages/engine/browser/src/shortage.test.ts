import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { captureFailure } from './capture-errors.ts'
import { type Shortage, watchShortage } from './shortage.ts'

const crash = (shortage: Shortage) => captureFailure('VID_PAGE_CRASHED', { shortage })

test('a machine with room and memory lacks nothing, and a folder that is gone is not taken for a full one', () => {
  for (const profile of [tmpdir(), '/nowhere'])
    expect(watchShortage(profile, tmpdir())()).toMatchObject({ isKilled: false })
  expect(watchShortage('/nowhere', tmpdir())()).not.toHaveProperty('folder')
})

test.runIf(process.platform === 'linux')('a folder without room is named by the one that the user knows', () => {
  // A file system without any room.
  expect(watchShortage('/proc', '/tmp')()).toMatchObject({ folder: '/tmp', freeBytes: 0 })
})

test('the error of a crash says what was observed, and what to do about it', () => {
  const full = crash({ folder: '/tmp', freeBytes: 1e6, isKilled: false })
  expect(full.message).toContain('only 1 MB are free in /tmp, and a browser needs 64 MB there')
  expect(full.hint).toContain('TMPDIR')
  const killed = crash({ isKilled: true, limitBytes: 2 ** 30 })
  expect(killed.message).toContain('the system ended a process for lack of memory')
  expect(killed.hint).toContain('which is 1073 MB of memory (with --docker, by the option memory of the target docker)')
  const unknown = crash({ isKilled: false })
  expect([unknown.message, unknown.hint]).toEqual([
    'The page crashed while it was captured.',
    'The usual cause is memory: use smaller images or canvases, or fewer workers.',
  ])
  const browser = captureFailure('VID_BROWSER_CRASHED', {
    code: null,
    signal: 'SIGBUS',
    stderr: '',
    shortage: { folder: '/tmp', freeBytes: 0, isKilled: false },
  })
  expect(browser.message).toContain('(SIGBUS); only 0 MB are free in /tmp')
})
