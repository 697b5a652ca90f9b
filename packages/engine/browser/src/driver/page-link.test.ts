import { expect, test } from 'vitest'
import { captureFailure } from '../capture-errors.ts'
import { createFaults } from './page-link.ts'

const ORIGIN = 'http://127.0.0.1:1'
const url = `${ORIGIN}/a.png`
const detail = 'net::ERR_INSUFFICIENT_RESOURCES'
const faultsOn = (shortage: Parameters<typeof createFaults>[2]) =>
  createFaults(ORIGIN, new AbortController().signal, shortage)

test('a file that did not load on a machine that lacks nothing is no fault of the machine', () => {
  const lacking = faultsOn(() => ({ isKilled: false, limitBytes: 2 ** 30 }))
  expect(lacking.starved(url, detail)).toBeUndefined()
})

test('a file that did not load for lack of room is a fault of the machine, which the error names', () => {
  const starved = faultsOn(() => ({ folder: '/tmp', freeBytes: 1e6, isKilled: false })).starved(url, detail)
  expect(starved).toMatchObject({ code: 'VID_PAGE_STARVED', fault: 'machine' })
  expect(starved?.message).toBe(
    `The browser could not load a.png: ${detail}; only 1 MB are free in /tmp, and a browser needs 64 MB there.`,
  )
})

test('a page that is late where the machine lacks room is late for that', () => {
  const stuck = captureFailure('VID_PAGE_STUCK', { seconds: 30, doing: 'loading' })
  expect(faultsOn(() => ({ isKilled: false })).late(stuck)).toBe(stuck)
  const late = faultsOn(() => ({ folder: '/tmp', freeBytes: 0, isKilled: false })).late(stuck)
  expect(late).toMatchObject({ code: 'VID_PAGE_STARVED', fault: 'machine', hint: expect.stringContaining('TMPDIR') })
  expect(late.message).toContain(`${stuck.message.slice(0, -1)}; only 0 MB are free in /tmp`)
})
