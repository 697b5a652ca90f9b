import { isVidError } from '@vid/protocol'
import type { OpenComposition, Renderer } from '@vid/render'
import { expect, onTestFinished, test } from 'vitest'
import { createExactFrames } from './exact-frame.ts'

const { signal } = new AbortController()

/** A renderer that counts the compositions that are open, and shows frames by `show`. */
const countCompositions = (show: (frame: number) => Promise<string> = async (frame) => `frame ${frame}`) => {
  const compositions = { opened: 0, open: 0 }
  const withComposition: Renderer['withComposition'] = async (_, work, options) => {
    compositions.opened += 1
    compositions.open += 1
    const run = {
      signal: options?.signal,
      refusal: () => undefined,
      examine: () => ({
        show: async (frame: number) => ({ picture: async () => new TextEncoder().encode(await show(frame)) }),
        close: async () => {},
      }),
    }
    const plan = { frames: 60, fps: 30, duration: 2 }
    try {
      return { result: await work({ run, plan } as unknown as OpenComposition), warnings: [] }
    } finally {
      compositions.open -= 1
    }
  }
  const exact = createExactFrames({ withComposition })
  onTestFinished(exact.close)
  const take = async (frame: number, entry = 'index.html', taken = signal) =>
    new TextDecoder().decode(await exact.take('/film', { entry, frame }, taken))
  return { compositions, exact, take }
}

test('frames of a composition are taken from one page, which is opened again when files have changed', async () => {
  const { compositions, exact, take } = countCompositions()
  expect([await take(59), await take(3)]).toEqual(['frame 59', 'frame 3'])
  expect(compositions.opened).toBe(1)
  exact.renew()
  expect(await take(4)).toBe('frame 4')
  expect(compositions.opened).toBe(2)
})

test('two compositions stay open at most, and none after the end', async () => {
  const { compositions, exact, take } = countCompositions()
  for (const entry of ['a.html', 'b.html', 'c.html', 'b.html', 'c.html']) await take(0, entry)
  expect(compositions.opened).toBe(3)
  await expect.poll(() => compositions.open).toBe(2)
  await exact.close()
  expect(compositions.open).toBe(0)
})

test('a client that leaves does not close the page that the next one waits for', async () => {
  let finish = () => {}
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const { compositions, take } = countCompositions(async (frame) => {
    if (frame === 1) {
      begin()
      await finished
    }
    return `frame ${frame}`
  })
  await take(0)
  const client = new AbortController()
  const left = take(1, 'index.html', client.signal)
  const second = take(2, 'index.html', client.signal)
  const next = take(3)
  await begun
  client.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  await expect(second).rejects.toThrow('gone')
  finish()
  expect(await next).toBe('frame 3')
  expect(compositions.opened).toBe(1)
})

test('a page that fails is not used again, and a time behind the end is refused', async () => {
  const { compositions, take } = countCompositions(async (frame) => {
    if (frame === 1) throw new Error('broken')
    return `frame ${frame}`
  })
  await expect(take(1)).rejects.toThrow('broken')
  expect(await take(2)).toBe('frame 2')
  expect(compositions.opened).toBe(2)
  await expect(take(61)).rejects.toSatisfy((thrown) => isVidError(thrown) && thrown.code === 'VID_SNAPSHOT_TIME')
})
