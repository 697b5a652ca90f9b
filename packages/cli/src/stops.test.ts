import { expect, test } from 'vitest'
import { listenForStops } from './stops.ts'

test('a signal that comes before code that may block is not lost, and the code does not run', async () => {
  const stops = listenForStops()
  let hasRun = false
  // It is only noticed: its listener runs in a later turn of the event loop.
  process.kill(process.pid, 'SIGHUP')
  const run = stops.unguarded(async () => {
    hasRun = true
  })
  await expect(run).rejects.toThrow('stopped by SIGHUP')
  expect([hasRun, stops.exitCode()]).toEqual([false, 129])
})
