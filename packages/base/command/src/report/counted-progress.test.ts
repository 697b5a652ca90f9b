import { expect, test } from 'vitest'
import { countedBytes, countedProgress } from './counted-progress.ts'

/** What is shown while a thousand kilobytes arrive in ten seconds. */
const shown = (isLive: boolean) => {
  const lines: string[] = []
  let second = 0
  const count = countedProgress(
    { isLive, show: (line) => lines.push(line) },
    countedBytes('uploading'),
    () => second * 1000,
  )
  for (; second <= 10; second += 1) count(second * 100_000, 1_000_000)
  return lines
}

test('on a terminal, a line has a bar, the bytes, the speed and the time left', () => {
  expect(shown(true)[4]).toBe('uploading [########------------] 40 %, 400.0 kB of 1.0 MB, 100.0 kB/s, 0:06 left')
  expect(shown(true).at(-1)).toBe('uploading [####################] 100 %, 1.0 MB of 1.0 MB, 100.0 kB/s')
})

test('in a log, a plain line is written for each quarter', () => {
  expect(shown(false)).toEqual([
    'uploading: 0 bytes of 1.0 MB',
    'uploading: 300.0 kB of 1.0 MB',
    'uploading: 500.0 kB of 1.0 MB',
    'uploading: 800.0 kB of 1.0 MB',
    'uploading: 1.0 MB of 1.0 MB',
  ])
})
