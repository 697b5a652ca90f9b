import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderBlobs } from '@vid/system'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createPastCosts } from './past-costs.ts'
import type { WorkerCosts } from './worker-choice.ts'

afterEach(() => {
  vi.useRealTimers()
})

type Plan = Parameters<typeof createPastCosts>[1]

const plan = (preset: string): Plan =>
  ({
    composition: { entry: 'index.html', digest: 'a' },
    width: 1920,
    height: 1080,
    fps: 30,
    capture: { name: 'test-capture' },
    encoder: { name: 'test-encoder', settings: { preset } },
  }) as unknown as Plan

const costs = { coresEach: 1.4, frameMs: 70 }

const makeStore = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'past-costs-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const fault = (key: string) => new Error(`the store refused ${key}`)
  return folderBlobs(join(folder, 'blobs'), {
    incoming: join(folder, 'incoming'),
    refuse: fault,
    failed: (_, key) => fault(key),
  })
}

type Store = Awaited<ReturnType<typeof makeStore>>

const keep = async (store: Store, work: Plan, cores: number) => {
  const past = createPastCosts(async () => store, work, cores)
  past.keep(costs)
  await past.settle()
}

const read = async (store: Store, work: Plan, cores: number): Promise<WorkerCosts | undefined> => {
  let past: WorkerCosts | undefined
  const entry = createPastCosts(async () => store, work, cores)
  entry.use((costs) => {
    past = costs
  })
  await entry.settle()
  return past
}

test('costs are kept for the same work on the same cores, also after an edit', async () => {
  const store = await makeStore()
  expect(await read(store, plan('medium'), 2)).toBeUndefined()
  await keep(store, plan('medium'), 2)
  expect(await read(store, plan('medium'), 2)).toEqual(costs)
  const edited = { ...plan('medium'), composition: { ...plan('medium').composition, digest: 'b' } }
  expect(await read(store, edited, 2)).toEqual(costs)
  expect(await read(store, plan('medium'), 4)).toBeUndefined()
  expect(await read(store, plan('ultrafast'), 2)).toBeUndefined()
})

test('after a day they are measured again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const store = await makeStore()
  await keep(store, plan('medium'), 2)
  vi.setSystemTime(Date.now() + 23 * 3_600_000)
  expect(await read(store, plan('medium'), 2)).toEqual(costs)
  vi.setSystemTime(Date.now() + 2 * 3_600_000)
  expect(await read(store, plan('medium'), 2)).toBeUndefined()
})

test('damaged costs and a store that cannot be used count as none', async () => {
  const store = await makeStore()
  await keep(store, plan('medium'), 2)
  for await (const { key } of store.list('workers/')) await store.write(key, '{"coresEach":0}')
  expect(await read(store, plan('medium'), 2)).toBeUndefined()
  const past = createPastCosts(() => Promise.reject(new Error('no store')), plan('medium'), 2)
  past.keep(costs)
  await past.settle()
})
