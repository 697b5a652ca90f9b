import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { loadOf } from '../processes/tree-load.ts'
import { afterServed, startServedClock, withinServed } from './served-time.ts'

const served = (ms: number) => new Promise<void>((resolve) => void afterServed(ms, resolve))

/** Starts programs that always want a processor, two for each one. */
const crowd = async () => {
  const programs = Array.from({ length: 2 * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'console.log(); for (;;);'], { stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  onTestFinished(() => {
    for (const program of programs) program.kill('SIGKILL')
  })
  await Promise.all(programs.map(({ stdout }) => once(stdout, 'data')))
}

test.each([
  ['an idle tree is served', 0, 0, { busy: 0, served: 1 }],
  ['one that computes is served', 900, 0, { busy: 0.9, served: 1 }],
  ['one that waits for a processor is not', 50, 950, { busy: 1, served: 0.05 }],
  ['one that waits for a part of the time is served in the rest', 100, 400, { busy: 0.5, served: 0.6 }],
  ['of many threads, those that run count', 2000, 2000, { busy: 1, served: 0.5 }],
])('%s', (_, ranMs, waitedMs, load) => {
  const { busy, served: share } = loadOf(ranMs, waitedMs, 1000)
  expect(busy).toBeCloseTo(load.busy)
  expect(share).toBeCloseTo(load.served)
})

test('time in which a processor is waited for does not count, and a limit ends all the same', async () => {
  await crowd()
  const startMs = performance.now()
  const clock = startServedClock()
  await served(2000)
  const { servedMs, idleMs } = clock.now()
  clock.stop()
  expect(performance.now() - startMs).toBeGreaterThan(2500)
  expect(idleMs).toBeLessThan(1600)
  expect(servedMs).toBeGreaterThan(idleMs)
}, 300_000)

test('work that takes too long is aborted with the reason', async () => {
  const hanging = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
  await expect(withinServed(400, hanging)).rejects.toThrow('it did not finish within 0.4 s')
  await expect(withinServed(400, hanging, { late: () => new Error('the version') })).rejects.toThrow('the version')
  const outer = new AbortController()
  const stopped = withinServed(60_000, hanging, { signal: outer.signal })
  outer.abort()
  await expect(stopped).rejects.toThrow('aborted')
  await expect(withinServed(60_000, async () => 'done')).resolves.toBe('done')
})

test('a wait that was prevented does not call', async () => {
  let calls = 0
  const cancel = afterServed(200, () => calls++)
  cancel()
  await served(1200)
  expect(calls).toBe(0)
})
