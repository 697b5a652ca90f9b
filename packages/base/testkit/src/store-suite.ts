import { describe, expect, test } from 'vitest'
import { openStoreProject } from './store-rig.ts'
import { type MakePlugin, maker, type SuiteOptions, testOptions } from './suite.ts'

const A = 'segments/abc/1-a.x_y'
const B = 'contents/0123456789abcdef'

const settled = (work: Promise<unknown>) =>
  work.then(
    () => 'it was done',
    ({ message }: Error) => message,
  )

/** Tests a store against its contract: blobs under keys, whole or not at all, for as long as there is room. */
export const storeSuite = (makePlugin: MakePlugin<'store'>, suite: SuiteOptions = {}) => {
  const make = maker(makePlugin, suite)
  const openProject = () => openStoreProject(make())
  const { name, clean } = make()

  describe(`store ${name}`, () => {
    testOptions(make)

    test('returns files as they were put', async () => {
      const store = await (await openProject()).open()
      await store.put(A, 'one')
      await store.put(B, 'two'.repeat(100_000))
      expect(await store.get(A)).toBe('one')
      expect(await store.get(B)).toBe('two'.repeat(100_000))
    })

    test('returns texts as they were written', async () => {
      const store = await (await openProject()).open()
      const text = 'einß – zwei\n{"three":"\u0000"}'
      await store.write(A, text)
      expect(await store.read(A)).toBe(text)
    })

    test('returns nothing for an unknown key', async () => {
      const store = await (await openProject()).open()
      await store.put(A, 'one')
      expect(await store.get(B)).toBe(undefined)
      expect(await store.read(B)).toBe(undefined)
      await store.touch([B])
      expect(await store.read(B)).toBe(undefined)
    })

    test('replaces the blob under a key', async () => {
      const store = await (await openProject()).open()
      await store.put(A, 'the first one')
      await store.put(A, 'second')
      expect(await store.get(A)).toBe('second')
      await store.write(B, 'the first one')
      await store.write(B, 'second')
      expect(await store.read(B)).toBe('second')
    })

    test('keeps its blobs when it is opened again', async () => {
      const project = await openProject()
      const store = await project.open()
      await store.put(A, 'one')
      await store.write(B, 'two')
      await store.close()
      const later = await project.open()
      expect([await later.get(A), await later.read(B)]).toEqual(['one', 'two'])
    })

    test('lists the blobs of a prefix with their bytes', async () => {
      const store = await (await openProject()).open()
      expect(await store.list('segments/')).toEqual([])
      await store.write('segments/a/1', 'é')
      await store.put('segments/a/2', 'four')
      await store.write('segments/b/1', 'other')
      const listed = async (prefix: string) =>
        (await store.list(prefix)).map(({ key, bytes }) => `${key} ${bytes}`).sort()
      expect(await listed('segments/a/')).toEqual(['segments/a/1 2', 'segments/a/2 4'])
      expect(await listed('segments/a/2')).toEqual(['segments/a/2 4'])
      expect(await listed('segments/')).toHaveLength(3)
    })

    test('lists when blobs were used', async () => {
      const store = await (await openProject()).open()
      for (const key of ['segments/1', 'segments/2', 'segments/3']) await store.write(key, key)
      const times = (await store.list('segments/')).map(({ usedMs }) => usedMs)
      expect(times).toHaveLength(3)
      for (const time of times) expect(Math.abs(time - Date.now())).toBeLessThan(60 * 60 * 1000)
    })

    test('removes blobs, and accepts keys without one', async () => {
      const store = await (await openProject()).open()
      await store.write(A, 'one')
      await store.write(B, 'two')
      await store.remove(A)
      await store.remove(A)
      expect(await store.read(A)).toBe(undefined)
      expect(await store.list('segments/')).toEqual([])
      expect(await store.read(B)).toBe('two')
      await store.remove(A, B)
      expect(await store.read(B)).toBe(undefined)
    })

    test('never shows an incomplete blob', async () => {
      const project = await openProject()
      const writer = await project.open()
      const reader = await project.open()
      const texts = ['a', 'b'].map((letter) => letter.repeat(2_000_000))
      await writer.put(A, texts[0] ?? '')
      const puts = Promise.all(texts.flatMap((text) => [text, text]).map((text) => writer.put(A, text)))
      for (let round = 0; round < 8; round += 1) {
        const text = (await reader.get(A)) ?? ''
        expect([text.length, new Set(text).size]).toEqual([2_000_000, 1])
      }
      await puts
    })

    test('stores nothing for a missing file', async () => {
      const store = await (await openProject()).open()
      expect(await settled(store.putMissing(A))).not.toMatch(/it was done|it did not stop/)
      expect(await store.get(A)).toBe(undefined)
    })

    test('stops on an abort', async () => {
      const stop = new AbortController()
      const store = await (await openProject()).open(stop.signal)
      stop.abort(new Error('enough'))
      expect(await settled(store.put(A, 'one'))).not.toMatch(/it did not stop/)
      expect(await settled(store.close())).not.toMatch(/it did not stop/)
    })

    if (clean)
      test('removes everything kept for a project, and returns the number of bytes', async () => {
        const project = await openProject()
        expect(await project.clean()).toBe(0)
        const store = await project.open()
        await store.put(A, 'x'.repeat(1000))
        await store.close()
        expect(await project.clean()).toBeGreaterThanOrEqual(1000)
        expect(await (await project.open()).get(A)).toBe(undefined)
      })
  })
}
