import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { encoder, request, setupOf, soundTrack, taps } from '../fixtures/plugins.ts'
import {
  createKernel,
  defineTarget,
  type EncodedFile,
  type EncoderDefinition,
  type MixJob,
  render,
  type TargetContext,
} from '../index.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-publish-'))
  const scratch = folder
  onTestFinished(() => rm(scratch, { recursive: true }))
})

/** An encoder whose publication is a list of frames. */
const publishing = (changes: Partial<EncoderDefinition<Record<string, unknown>>> = {}) =>
  encoder({
    publish: async ({ folder: place }) => {
      const path = join(place, 'list.txt')
      const lines: string[] = []
      return {
        index: 'list.txt',
        async add({ file }) {
          lines.push(await readFile(file, 'utf8'))
          await writeFile(path, lines.join('\n'))
        },
        end: () => writeFile(path, [...lines, 'end'].join('\n')),
      }
    },
    ...changes,
  })

/** A target that renders the segments in an order of its own. */
const ordered = (order: (context: Pick<TargetContext<unknown>, 'renderSegment'>) => Promise<EncodedFile[]>) =>
  defineTarget({
    name: 'ordered-target',
    run: async (_, context) => context.join(await order(context)),
  })()

const published = async () => {
  const [name = ''] = await readdir(folder)
  return (await readFile(join(folder, name, 'list.txt'), 'utf8')).split('\n')
}

test('segments are published in order, whatever the order in which they are finished', async () => {
  const seen: string[][] = []
  const target = ordered(async ({ renderSegment }) => {
    const [last, second, first] = [await renderSegment(2), await renderSegment(1), await renderSegment(0)]
    return [first, second, last]
  })
  const kernel = createKernel(setupOf({ encoders: [publishing()], target }))
  const names = new Set<string>()
  const onSegment = (index: string) => {
    names.add(index)
    seen.push([])
  }
  await render(kernel, request, { publish: { folder, onSegment } })
  expect(await published()).toEqual(['0,1', '2,3', '4,5', 'end'])
  expect(seen).toHaveLength(3)
  expect([...names]).toEqual([expect.stringMatching(/list\.txt$/)])
  expect(dirname(dirname([...names][0] ?? ''))).toBe(folder)
})

test('a part can be played before the next segment is finished', async () => {
  let publishedFirst = () => {}
  const first = new Promise<void>((resolve) => {
    publishedFirst = resolve
  })
  let early: string[] = []
  const target = ordered(async ({ renderSegment }) => {
    const begin = await renderSegment(0)
    await first
    early = await published()
    return [begin, await renderSegment(1), await renderSegment(2)]
  })
  const kernel = createKernel(setupOf({ encoders: [publishing()], target }))
  await render(kernel, request, { publish: { folder, onSegment: publishedFirst } })
  expect(early).toEqual(['0,1'])
})

test('a render that fails ends the publication after its last good segment', async () => {
  const target = ordered(async ({ renderSegment }) => {
    await renderSegment(0)
    await renderSegment(2)
    throw new Error('the machine went away')
  })
  const kernel = createKernel(setupOf({ encoders: [publishing()], target }))
  await expect(render(kernel, request, { publish: { folder } })).rejects.toThrow('the machine went away')
  const lines = await published()
  expect(lines.at(-1)).toBe('end')
  expect(lines).not.toContain('4,5')
})

const sounding = taps('test-sound', (hooks) => {
  hooks.plan.tap('test-sound', (plan) => ({ ...plan, audio: [soundTrack] }))
})

/** A publication that lists what it can read of the sound for each segment; a segment needs four bytes. */
const listening = publishing({
  publish: async ({ folder: place, audio }) => {
    const path = join(place, 'list.txt')
    const lines: string[] = []
    return {
      index: 'list.txt',
      async add() {
        const needed = 4 * (lines.length + 1)
        let bytes = 0
        while (audio && bytes < needed) bytes = await audio.grown(bytes)
        const text = audio && (await readFile(audio.file, 'utf8')).slice(0, needed)
        lines.push(text ?? 'silent')
        await writeFile(path, lines.join('\n'))
      },
      end: () => writeFile(path, [...lines, 'end'].join('\n')),
    }
  },
})

test('a segment is published before the mix of the sound is finished', async () => {
  let publishedFirst = () => {}
  const first = new Promise<void>((resolve) => {
    publishedFirst = resolve
  })
  const mixer = taps('test-mixer', (hooks) => {
    hooks.mix.tapPromise('test-mixer', async ({ path, onGrowth }: MixJob) => {
      const file = `${path}.wav`
      await writeFile(file, 'one,')
      onGrowth?.({ file, bytes: 4, totalBytes: 12 })
      await first
      await writeFile(file, 'one,two,six,')
      return { file }
    })
  })
  const kernel = createKernel(setupOf({ encoders: [listening], plugins: [sounding, mixer] }))
  await render(kernel, request, { publish: { folder, onSegment: publishedFirst } })
  expect(await published()).toEqual(['one,', 'one,two,', 'one,two,six,', 'end'])
})

test('a mixer that does not write in order is waited for, and a silent mix is no sound', async () => {
  const mixing = (text: string | null) =>
    taps('test-mixer', (hooks) => {
      hooks.mix.tapPromise('test-mixer', async ({ path }) => {
        if (text !== null) await writeFile(path, text)
        return { file: text === null ? null : path }
      })
    })
  const whole = createKernel(setupOf({ encoders: [listening], plugins: [sounding, mixing('one,two,six,')] }))
  await render(whole, request, { publish: { folder } })
  expect(await published()).toEqual(['one,', 'one,two,', 'one,two,six,', 'end'])
  await rm(folder, { recursive: true })
  await mkdir(folder)
  const silent = createKernel(setupOf({ encoders: [listening], plugins: [sounding, mixing(null)] }))
  await render(silent, request, { publish: { folder } })
  expect(await published()).toEqual(['silent', 'silent', 'silent', 'end'])
})

test('a mix that fails after it began fails the render, and the video ends after what was published', async () => {
  let publishedFirst = () => {}
  const first = new Promise<void>((resolve) => {
    publishedFirst = resolve
  })
  const mixer = taps('test-mixer', (hooks) => {
    hooks.mix.tapPromise('test-mixer', async ({ path, onGrowth }: MixJob) => {
      await writeFile(path, 'one,')
      onGrowth?.({ file: path, bytes: 4, totalBytes: 12 })
      await first
      throw new Error('no room for sound')
    })
  })
  const kernel = createKernel(setupOf({ encoders: [listening], plugins: [sounding, mixer] }))
  const rendering = render(kernel, request, { publish: { folder, onSegment: publishedFirst } })
  await expect(rendering).rejects.toThrow('no room for sound')
  expect(await published()).toEqual(['one,', 'end'])
})

test('a render fails with the error of its publication', async () => {
  const broken = publishing({
    publish: async () => ({
      index: 'list.txt',
      add: async () => {
        throw new Error('no room for parts')
      },
      end: async () => {},
    }),
  })
  const kernel = createKernel(setupOf({ encoders: [broken] }))
  await expect(render(kernel, request, { publish: { folder } })).rejects.toMatchObject({
    code: 'VID_PLUGIN_FAILED',
    hook: 'publish',
    message: expect.stringContaining('no room for parts'),
  })
})

test('what cannot be published is refused, or rendered alone if the publication is optional', async () => {
  const kernel = createKernel(setupOf())
  await expect(render(kernel, request, { publish: { folder } })).rejects.toMatchObject({
    code: 'VID_PUBLISH_FORMAT',
  })
  await render(kernel, request, { publish: { folder, isOptional: true } })
  expect(await readdir(folder)).toEqual([])
  const able = createKernel(setupOf({ encoders: [publishing()] }))
  await render(able, request, { publish: { folder, isOptional: true } })
  expect((await published()).at(-1)).toBe('end')
})
