import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineTarget, isVidError, render } from '@vid/kernel'
import { describe, expect, test } from 'vitest'
import { composition, kernelOf, openRig, scratchFolder } from './rig.ts'
import { bytesAt, type MakePlugin, maker, type SuiteOptions, stopsInTime, testOptions } from './suite.ts'

/** A place where a delivery puts a result, and a way to look at it without the plugin. */
export interface Destination {
  /** The `output` of the request. */
  readonly outputPath: string
  /** Options of the plugin that lead to this place. */
  readonly options?: Readonly<Record<string, unknown>>
  /** What is there: a file's bytes, or those of a folder's files in order of their names; undefined for nothing. */
  read(): Promise<Buffer | undefined>
  /** Names of everything at and beside it; a folder that was delivered counts as one. */
  names(): Promise<string[]>
}

/** How the suite sees where a delivery puts things. */
export interface DeliverySuiteOptions extends SuiteOptions {
  /** A fresh and empty place, made for each test. */
  destination(): Promise<Destination>
  /** A place that nothing can be put at. */
  unreachable(): Promise<Destination>
}

const BYTES = 24 * 2 ** 20

/** Tests a delivery against its contract. */
export const deliverySuite = (makePlugin: MakePlugin<'delivery'>, suite: DeliverySuiteOptions) => {
  const make = maker(makePlugin, suite)

  /** Renders to a destination; `write` makes the artifact, and what is left of it afterwards is told. */
  const deliver = async (
    { outputPath, options }: Destination,
    write: (path: string) => Promise<void>,
    signal?: AbortSignal,
  ) => {
    const made = join(await scratchFolder(), 'artifact')
    await write(made)
    const target = defineTarget({ name: '@vid/testkit/target', run: async () => ({ path: made }) })()
    const kernel = kernelOf({ target, deliveries: [make(options)], plugins: [composition(1)] })
    const request = { projectDir: await scratchFolder(), output: outputPath, format: 'count' }
    const outcome: unknown = await stopsInTime(render(kernel, request, signal ? { signal } : {})).catch(
      (thrown: unknown) => thrown,
    )
    return { outcome, left: await bytesAt(made).catch(() => undefined) }
  }
  const file = (bytes: Uint8Array) => (path: string) => writeFile(path, bytes)
  const { name } = make()

  describe(`delivery ${name}`, () => {
    testOptions(make)

    test('brings a file whole', async () => {
      const to = await suite.destination()
      const bytes = randomBytes(1_000_003)
      await deliver(to, file(bytes))
      expect((await to.read())?.equals(bytes)).toBe(true)
    })

    test('brings a folder of images whole', async () => {
      const to = await suite.destination()
      await deliver(to, async (path) => {
        await mkdir(path)
        await writeFile(join(path, 'frame_000000.png'), 'first ')
        await writeFile(join(path, 'frame_000001.png'), 'second')
      })
      expect(String(await to.read())).toBe('first second')
    })

    test('replaces what was there, and never shows a part', async () => {
      const to = await suite.destination()
      const [old, fresh] = [randomBytes(BYTES), randomBytes(BYTES)]
      await deliver(to, file(old))
      const seen = new Set<string>()
      const look = async () => {
        const found = await to.read()
        // A place in memory answers at once: without a turn, the delivery would never get on.
        await new Promise(setImmediate)
        seen.add(found?.equals(old) ? 'old' : found?.equals(fresh) ? 'new' : 'a part')
      }
      let done = false
      const delivery = deliver(to, file(fresh)).finally(() => {
        done = true
      })
      while (!done) await look()
      await delivery
      await look()
      expect([...seen].sort()).toEqual(expect.arrayContaining(['new']))
      expect(seen).not.toContain('a part')
    })

    test('leaves nothing beside the result', async () => {
      const to = await suite.destination()
      await deliver(to, file(randomBytes(1000)))
      expect(await to.names()).toHaveLength(1)
    })

    test('leaves the artifact where it is', async () => {
      const to = await suite.destination()
      const { left } = await deliver(to, file(Buffer.from('made')))
      expect(String(left)).toBe('made')
    })

    test('tells of a place that cannot be reached with a coded error of its own', async () => {
      const to = await suite.unreachable()
      const { outcome } = await deliver(to, file(Buffer.from('made')))
      expect(outcome).toMatchObject({ plugin: name, code: expect.stringMatching(/^VID_(?!PLUGIN_FAILED)/) })
      expect(isVidError(outcome) && outcome.hint).toBeTruthy()
    })

    test('brings nothing once it is told to stop', async () => {
      const to = await suite.destination()
      const plugin = make(to.options)
      const { run } = await openRig(kernelOf({ plugins: [composition(1)] }))
      const path = join(await scratchFolder(), 'artifact')
      await writeFile(path, 'made')
      const result = {
        outputPath: to.outputPath,
        fileSize: 4,
        durationMs: 0,
        renderTimeMs: 0,
        frames: 1,
        warnings: [],
      }
      const delivery = plugin.deliver({ path }, result, run.context(plugin, AbortSignal.abort()))
      await expect(stopsInTime(delivery)).rejects.not.toThrow(/did not stop/)
      expect(await to.names()).toEqual([])
    })
  })
}
