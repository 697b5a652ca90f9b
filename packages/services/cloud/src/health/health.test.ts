import { expect, onTestFinished, test } from 'vitest'
import { fail } from '../errors.ts'
import { type HealthOptions, watchHealth } from './health.ts'
import type { Defect, FailedJob } from './trial.ts'

const error = fail('VID_CLOUD_STORAGE', { action: 'keep', key: 'a', reason: 'full' })
const job: FailedJob = { video: { format: 'mp4' }, error }
const { signal } = new AbortController()
const full: Defect = { part: 'disk', error }

/** The health of a worker whose trials end as a list says. */
const watch = (defects: (Defect | undefined)[], options: Partial<HealthOptions> = {}) => {
  const changes: (string | undefined)[] = []
  let ready = () => {}
  const isReady = new Promise<void>((resolve) => {
    ready = resolve
  })
  const health = watchHealth({
    tryWorker: async () => defects.shift(),
    onChange: async (defect) => void changes.push(defect?.part),
    onReady: () => ready(),
    onError: (thrown) => {
      throw thrown
    },
    delays: () => 1,
    ...options,
  })
  onTestFinished(() => health.close())
  return { health, changes, isReady }
}

test('a worker whose part does not work is not ready until a trial passes', async () => {
  const { health, changes, isReady } = watch([full, full, { ...full, part: 'storage' }, undefined])
  expect(health.isReady()).toBe(true)
  expect(await health.examine(job, signal)).toBe(full)
  expect([health.isReady(), health.problem()]).toEqual([false, 'disk'])
  expect(await health.examine(job, signal)).toBe(full)
  await isReady
  expect([health.isReady(), health.problem()]).toEqual([true, undefined])
  expect(changes).toEqual(['disk', 'storage', undefined])
})

test('a worker is not ready while it is tried, and ready again if all parts work', async () => {
  let end = () => {}
  const trial = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined)
  })
  const { health, changes, isReady } = watch([], { tryWorker: () => trial })
  const examined = health.examine(job, signal)
  expect(health.isReady()).toBe(false)
  end()
  expect(await examined).toBeUndefined()
  await isReady
  expect([health.isReady(), changes]).toEqual([true, []])
})

test('a worker takes jobs while an error of a composition is looked into', async () => {
  const { health } = watch([undefined])
  const ofComposition = { ...job, error: fail('VID_CLOUD_SHAPE', { entry: 'index.html' }) }
  const examined = health.examine(ofComposition, signal)
  expect(health.isReady()).toBe(true)
  expect(await examined).toBeUndefined()
})

test('a worker that is closed ends its trials', async () => {
  const { health } = watch([full], { delays: () => 1e9 })
  await health.examine(job, signal)
  await health.close()
  expect(health.problem()).toBe('disk')
})
