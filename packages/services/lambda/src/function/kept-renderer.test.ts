import type { Renderer } from '@vid/render'
import { expect, test } from 'vitest'
import { keepRenderer } from './kept-renderer.ts'

/** Renderers that are numbered as they are made, and which of them were closed. */
const watched = (mayStay: () => Promise<boolean> = async () => true) => {
  const closed: number[] = []
  let count = 0
  const create = async () => {
    count += 1
    const number = count
    return { number, close: async () => void closed.push(number) } as unknown as Renderer
  }
  const kept = keepRenderer(create, mayStay)
  const call = () => kept.use(async (open) => ((await open()) as unknown as { number: number }).number)
  return { kept, call, closed }
}

test('calls after one another get the same renderer, and one that needs none makes none', async () => {
  const { kept, call, closed } = watched()
  await kept.use(async () => undefined)
  expect([await call(), await call()]).toEqual([1, 1])
  expect(closed).toEqual([])
  await kept.close()
  expect(closed).toEqual([1])
})

test('after a call that failed, the next gets a new renderer, and the old one is closed before the failure is told', async () => {
  const { kept, call, closed } = watched()
  await call()
  const failing = kept.use(async () => {
    throw new Error('the browser crashed')
  })
  await expect(failing).rejects.toThrow('the browser crashed')
  expect(closed).toEqual([1])
  expect(await call()).toBe(2)
})

test('a renderer that could not be made is not kept', async () => {
  let tries = 0
  const create = async () => {
    tries += 1
    if (tries === 1) throw new Error('no space')
    return { close: async () => undefined } as Renderer
  }
  const kept = keepRenderer(create, async () => true)
  await expect(kept.use((open) => open())).rejects.toThrow('no space')
  await kept.use((open) => open())
  expect(tries).toBe(2)
})

test.each([
  ['holds too much', async () => false],
  ['cannot be measured', async () => Promise.reject(new Error('no /proc'))],
])('a renderer that %s is closed with its call, which succeeds all the same', async (_, mayStay) => {
  const { call, closed } = watched(mayStay)
  expect(await call()).toBe(1)
  expect(closed).toEqual([1])
  expect(await call()).toBe(2)
})

test('a renderer serves a limited number of calls', async () => {
  const { call, closed } = watched()
  const numbers = []
  for (let calls = 0; calls < 100; calls += 1) numbers.push(await call())
  expect(numbers.filter((number) => number === 1)).toHaveLength(40)
  expect(closed).toEqual([1, 2])
})
