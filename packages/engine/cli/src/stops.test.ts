import { expect, onTestFinished, test, vi } from 'vitest'
import { listenForStops } from './stops.ts'

const EVENTS = ['SIGHUP', 'SIGINT', 'SIGTERM', 'uncaughtException']

/** Listens until the test has finished: a stopped listener ends the process at the next signal. */
const listenInTest = () => {
  const before = new Map(EVENTS.map((name) => [name, process.listeners(name as 'SIGINT')]))
  onTestFinished(() => {
    for (const [name, kept] of before)
      for (const listener of process.listeners(name as 'SIGINT'))
        if (!kept.includes(listener)) process.off(name, listener)
  })
  return listenForStops()
}

test('a signal that comes before code that may block is not lost, and the code does not run', async () => {
  const stops = listenInTest()
  let hasRun = false
  // It is only noticed: its listener runs in a later turn of the event loop.
  process.kill(process.pid, 'SIGHUP')
  const run = stops.unguarded(async () => {
    hasRun = true
  })
  await expect(run).rejects.toThrow('stopped by SIGHUP')
  expect([hasRun, stops.exitCode()]).toEqual([false, 129])
})

test('a crash that cannot be described aborts once: it is not the next crash', async () => {
  vi.doMock('@vid/render', () => {
    throw new Error('a file of vid is missing')
  })
  const before = new Set(process.listeners('uncaughtException'))
  const stops = listenInTest()
  const [onCrash] = process.listeners('uncaughtException').filter((listener) => !before.has(listener))
  const thrown = new Error('the first crash')
  onCrash?.(thrown, 'uncaughtException')
  await expect.poll(() => stops.signal.aborted).toBe(true)
  expect(stops.signal.reason.cause).toBe(thrown)
})

test('a signal is heard once after code that may block has run twice at the same time', async () => {
  const before = process.listenerCount('SIGTERM')
  const stops = listenInTest()
  const listening = process.listenerCount('SIGTERM')
  const code = async () => {
    expect(process.listenerCount('SIGTERM')).toBe(before)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all([stops.unguarded(code), stops.unguarded(code)])
  expect(process.listenerCount('SIGTERM')).toBe(listening)
})
