import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineTarget, render } from '@vid/kernel'
import { checkRequest, isVidError } from '@vid/protocol'
import { describe, expect, test } from 'vitest'
import { compositionStandIn, kernelOf, openRig, scratchFolder } from './rig.ts'
import { bytesAt, type MakePlugin, maker, type SuiteOptions, stopsInTime, testOptions } from './suite.ts'

/** A place that a delivery writes to, and access to it without the plugin. */
export interface Destination {
  /** The `output` of the request. */
  readonly outputPath: string
  /** Plugin options for this place. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Reads the bytes of the file there, or of the folder's files sorted by name; undefined when nothing is there. */
  read(): Promise<Buffer | undefined>
  /** Names of everything at and beside the place; a delivered folder counts as one. */
  names(): Promise<string[]>
}

/** Options of the delivery suite. */
export interface DeliverySuiteOptions extends SuiteOptions {
  /** Creates an empty place for each test. */
  destination(): Promise<Destination>
  /** Creates a place that nothing can be written to. */
  unreachable(): Promise<Destination>
  /** For a plugin with `check`: creates a place of which it knows beforehand that nothing can be delivered to it. */
  refused?(): Promise<Destination>
  /** For a plugin that delivers while a video is rendered: options with which it does. */
  readonly growing?: Readonly<Record<string, unknown>>
}

const BYTES = 24 * 2 ** 20

/** Tests a delivery against its contract. */
export const deliverySuite = (makePlugin: MakePlugin<'delivery'>, suite: DeliverySuiteOptions) => {
  const make = maker(makePlugin, suite)

  /** Renders an artifact, written by `write`, to a destination; `left` is the artifact afterwards. */
  const deliver = async (
    { outputPath, options }: Destination,
    write: (path: string) => Promise<void>,
    onRender = () => {},
  ) => {
    const artifact = join(await scratchFolder(), 'artifact')
    await write(artifact)
    const run = async () => {
      onRender()
      return { path: artifact }
    }
    const target = defineTarget({ name: '@vid/testkit/target', run })()
    const kernel = kernelOf({ target, deliveries: [make(options)], plugins: [compositionStandIn(1)] })
    const request = { projectDir: await scratchFolder(), output: outputPath, format: 'count' }
    const outcome: unknown = await stopsInTime(render(kernel, request)).catch((thrown: unknown) => thrown)
    return { outcome, left: await bytesAt(artifact).catch(() => undefined) }
  }
  const file = (bytes: Uint8Array) => (path: string) => writeFile(path, bytes)
  const { name } = make()

  describe(`delivery ${name}`, () => {
    testOptions(make)

    test('delivers a file completely', async () => {
      const to = await suite.destination()
      const bytes = randomBytes(1_000_003)
      await deliver(to, file(bytes))
      expect((await to.read())?.equals(bytes)).toBe(true)
    })

    test('answers with an address or with nothing', async () => {
      const { outcome } = await deliver(await suite.destination(), file(randomBytes(100)))
      expect(outcome).toMatchObject({ frames: 1 })
    })

    test('delivers a folder of images completely', async () => {
      const to = await suite.destination()
      await deliver(to, async (path) => {
        await mkdir(path)
        await writeFile(join(path, 'frame_000000.png'), 'first ')
        await writeFile(join(path, 'frame_000001.png'), 'second')
      })
      expect(String(await to.read())).toBe('first second')
    })

    test('replaces an older result without ever showing an incomplete one', async () => {
      const to = await suite.destination()
      const old = randomBytes(BYTES)
      const fresh = randomBytes(BYTES)
      await deliver(to, file(old))
      const seen = new Set<string>()
      const inspect = async () => {
        const bytes = await to.read()
        // A place in memory answers immediately: yield to the delivery.
        await new Promise(setImmediate)
        seen.add(bytes?.equals(old) ? 'old' : bytes?.equals(fresh) ? 'new' : 'a part')
      }
      let done = false
      const delivery = deliver(to, file(fresh)).finally(() => {
        done = true
      })
      while (!done) await inspect()
      await delivery
      await inspect()
      expect([...seen].sort()).toEqual(expect.arrayContaining(['new']))
      expect(seen).not.toContain('a part')
    })

    test('leaves nothing beside the result', async () => {
      const to = await suite.destination()
      await deliver(to, file(randomBytes(1000)))
      expect(await to.names()).toHaveLength(1)
    })

    test('leaves the artifact in place', async () => {
      const to = await suite.destination()
      const { left } = await deliver(to, file(Buffer.from('made')))
      expect(String(left)).toBe('made')
    })

    test('reports an unreachable place with its own coded error', async () => {
      const to = await suite.unreachable()
      const { outcome } = await deliver(to, file(Buffer.from('made')))
      expect(outcome).toMatchObject({ plugin: name, code: expect.stringMatching(/^VID_(?!PLUGIN_FAILED)/) })
      expect(isVidError(outcome) && outcome.hint).toBeTruthy()
    })

    if (make().check) {
      test('changes nothing when it checks a place', async () => {
        const to = await suite.destination()
        const plugin = make(to.options)
        const { run } = await openRig(kernelOf({ plugins: [compositionStandIn(1)] }))
        const request = { projectDir: await scratchFolder(), output: to.outputPath, format: 'count' }
        await stopsInTime(Promise.resolve(plugin.check?.(checkRequest(request), run.context(plugin))))
        expect(await to.names()).toEqual([])
      })

      test('refuses a place that it can know to be useless before anything is rendered', async () => {
        if (!suite.refused) throw new Error('deliverySuite needs `refused` for a plugin with `check`')
        let isRendered = false
        const onRender = () => {
          isRendered = true
        }
        const { outcome } = await deliver(await suite.refused(), file(Buffer.from('made')), onRender)
        expect(outcome).toMatchObject({ plugin: name, code: expect.stringMatching(/^VID_(?!PLUGIN_FAILED)/) })
        expect(isRendered).toBe(false)
      })
    }

    if (suite.growing) {
      /** A playlist of parts, as an encoder publishes it. */
      const list = (parts: readonly string[], isEnded: boolean) =>
        ['#EXTM3U', ...parts.map((part) => `#EXTINF:1,\n${part}`), ...(isEnded ? ['#EXT-X-ENDLIST'] : [])].join('\n')
      const openFolder = async () => {
        const to = await suite.destination()
        const plugin = make({ ...to.options, ...suite.growing })
        const stop = new AbortController()
        const { run } = await openRig(kernelOf({ plugins: [compositionStandIn(1)] }))
        const folder = await scratchFolder()
        const growth = await plugin.grow?.({ outputPath: to.outputPath }, run.context(plugin, stop.signal))
        if (!growth) throw new Error('deliverySuite needs options in `growing` with which the plugin has `grow`')
        const write = (name: string, text: string) => writeFile(join(folder, name), text)
        const writeList = (parts: readonly string[], isEnded = false) => write('index.m3u8', list(parts, isEnded))
        const text = async () => String((await to.read()) ?? '')
        return { to, folder, growth, write, writeList, text, stop }
      }

      test('delivers of a growing video what its lists name, and no part twice', async () => {
        const { to, folder, growth, write, writeList, text } = await openFolder()
        await write('part-0', 'first ')
        await writeList(['part-0'])
        // The next part is being written.
        await write('part-1', 'half a')
        await growth.update(folder)
        expect(await text()).toBe(`${list(['part-0'], false)}first `)
        await write('part-0', 'again ')
        await write('part-1', 'second ')
        await writeList(['part-0', 'part-1'])
        await growth.update(folder)
        await writeList(['part-0', 'part-1'], true)
        await growth.end(folder, new AbortController().signal)
        expect(await text()).toBe(`${list(['part-0', 'part-1'], true)}first second `)
        const finished = join(await scratchFolder(), 'finished')
        await mkdir(finished)
        const files = {
          'index.m3u8': 'the finished list ',
          'part-0': 'first ',
          'part-1': 'changed ',
          'poster.jpg': 'poster',
        }
        for (const [name, content] of Object.entries(files)) await writeFile(join(finished, name), content)
        const result = {
          outputPath: to.outputPath,
          fileSize: 4,
          durationMs: 0,
          renderTimeMs: 0,
          frames: 1,
          warnings: [],
        }
        await growth.finish({ path: finished }, result)
        expect(await text()).toBe('the finished list first changed poster')
        expect(await to.names()).toHaveLength(1)
      })

      test('ends a growing video after an abort', async () => {
        const { folder, growth, write, writeList, text, stop } = await openFolder()
        await write('part-0', 'first')
        await writeList(['part-0'])
        await growth.update(folder)
        stop.abort(new Error('enough'))
        await writeList(['part-0'], true)
        await stopsInTime(growth.end(folder, new AbortController().signal))
        expect(await text()).toBe(`${list(['part-0'], true)}first`)
      })
    }

    test('delivers nothing after an abort', async () => {
      const to = await suite.destination()
      const plugin = make(to.options)
      const { run } = await openRig(kernelOf({ plugins: [compositionStandIn(1)] }))
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
