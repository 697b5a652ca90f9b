import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { capture, encoder, greyFrames, page, request, setupOf, taps } from '../fixtures/plugins.ts'
import { createKernel, defineDelivery, type KernelSetup, render } from '../index.ts'

const outputs = [
  { format: 'second', output: 'out.second' },
  { format: 'third', output: 'out.third' },
]
const second = (changes: Parameters<typeof encoder>[0] = {}) =>
  encoder({ name: 'second-encoder', formats: ['second'], ...changes })
const third = (changes: Parameters<typeof encoder>[0] = {}) =>
  encoder({ name: 'third-encoder', formats: ['third'], ...changes })
const renderThree = (setup: Partial<KernelSetup>) => render(createKernel(setupOf(setup)), { ...request, outputs })

test('several outputs share frames that are captured once', async () => {
  const captured: number[] = []
  const delivered: Record<string, string> = {}
  const painter = capture({
    open: async () =>
      page({
        async *frames(range) {
          for await (const frame of greyFrames(range)) {
            captured.push(frame.index)
            yield frame
          }
        },
      }),
  })
  const delivery = defineDelivery({
    name: 'reader',
    async deliver({ path }, { outputPath }) {
      const segments = (await readFile(path, 'utf8')).split('\n')
      delivered[outputPath] = (await Promise.all(segments.map((file) => readFile(file, 'utf8')))).join()
    },
  })()
  const encoders = [encoder(), second(), third()]
  const result = await renderThree({ capture: painter, encoders, deliveries: [delivery] })
  expect(captured).toEqual([0, 1, 2, 3, 4, 5])
  const all = '0,1,2,3,4,5'
  expect(delivered).toEqual({ 'out.list': all, 'out.second': all, 'out.third': all })
  expect(result.outputPath).toBe('out.list')
  expect(result.outputs?.map(({ outputPath }) => outputPath)).toEqual(['out.second', 'out.third'])
})

test('the slowest encoder sets the pace: no other is ahead of it by more than a frame', async () => {
  let ahead = 0
  let maxAhead = 0
  const slow = second({
    async encode(frames, { path }) {
      for await (const _ of frames) {
        await new Promise(setImmediate)
        ahead -= 1
      }
      await writeFile(path, 'slow')
      return { file: path }
    },
  })
  const fast = encoder({
    async encode(frames, { path }) {
      for await (const _ of frames) {
        ahead += 1
        maxAhead = Math.max(maxAhead, ahead)
      }
      await writeFile(path, 'fast')
      return { file: path }
    },
  })
  await renderThree({ encoders: [fast, slow, third()] })
  expect(maxAhead).toBe(1)
})

test.each(['before it reads', 'after a frame'])(
  'an encoder that fails %s stops the others and is named in the error',
  async (when) => {
    const ended: string[] = []
    const other = (name: string, format: string) =>
      encoder({
        name,
        formats: [format],
        async encode(frames, { path }, { signal }) {
          for await (const _ of frames);
          if (signal.aborted) ended.push(name)
          await writeFile(path, name)
          return { file: path }
        },
      })
    const broken = encoder({
      name: 'broken-encoder',
      formats: ['second'],
      async encode(frames) {
        if (when === 'before it reads') throw new Error('no licence')
        for await (const _ of frames) throw new Error('no licence')
        return { file: '' }
      },
    })
    const encoders = [other('first', 'list'), broken, other('last', 'third')]
    await expect(renderThree({ encoders })).rejects.toMatchObject({
      code: 'VID_PLUGIN_FAILED',
      plugin: 'broken-encoder',
      hook: 'encode',
    })
    expect(ended.toSorted()).toEqual(['first', 'last'])
  },
)

test('a failed capture is named in the error, however many encoders were reading', async () => {
  const painter = capture({
    open: async () =>
      page({
        // biome-ignore lint/correctness/useYield: a stream that fails at once
        async *frames() {
          throw new Error('out of memory')
        },
      }),
  })
  const encoders = [encoder(), second(), third()]
  await expect(renderThree({ capture: painter, encoders })).rejects.toMatchObject({
    plugin: 'grey-capture',
    hook: 'capture',
  })
})

test.each([
  ['transparency', { alpha: true }],
  ['frame rate', { maxFps: 10 }],
  ['frame format', { accepts: ['png'] as const }],
])('outputs whose %s differs cannot share a capture', async (what, changes) => {
  await expect(renderThree({ encoders: [encoder(), second(changes), third()] })).rejects.toMatchObject({
    code: 'VID_OUTPUTS_APART',
    message: expect.stringContaining(what),
  })
})

test('a format with optional transparency has none beside a format without it', async () => {
  const run = await createKernel(setupOf({ encoders: [encoder(), second({ alpha: 'optional' })] })).open({
    projectDir: request.projectDir,
  })
  const { checkRequest } = await import('../index.ts')
  const planOf = (format: string, others: string[]) =>
    run.plan(
      checkRequest({
        ...request,
        format,
        outputs: others.map((name) => ({ format: name, output: `o.${name}` })),
      }),
    )
  expect((await planOf('second', [])).alpha).toBe(true)
  expect((await planOf('list', ['second'])).alpha).toBe(false)
  await run.close()
})

test('an encoder verifies the joined file, with a frame to compare it with', async () => {
  const seen: unknown[] = []
  const checking = encoder({
    async verify({ artifact, plan, sound, frame }) {
      const { data } = await frame(4)
      seen.push([plan.frames, sound, data[0], (await readFile(artifact.path, 'utf8')).split('\n').length])
    },
  })
  await render(createKernel(setupOf({ encoders: [checking] })), request)
  expect(seen).toEqual([[6, false, 4, 3]])
  const refusing = encoder({
    async verify() {
      throw new Error('it is black')
    },
  })
  await expect(render(createKernel(setupOf({ encoders: [refusing] })), request)).rejects.toMatchObject({
    plugin: 'list-encoder',
    hook: 'verify',
  })
})

test('a format that loses its transparency is warned of only where something may be transparent', async () => {
  const encoders = [encoder(), encoder({ name: 'clear', formats: ['clear'], alpha: 'optional' })]
  const warned = async (facts: { readonly covered?: boolean }) => {
    const reader = capture({
      open: async () => page({ probe: async () => ({ duration: null, stateful: false, ...facts }) }),
    })
    const asks = taps('asks', (hooks) =>
      hooks.plan.tapPromise('asks', async (plan, { probe }) => {
        await probe(plan)
        return plan
      }),
    )
    const outputs = [{ format: 'clear', output: 'out.clear' }]
    const setup = setupOf({ capture: reader, encoders, plugins: [asks] })
    const { warnings } = await render(createKernel(setup), { ...request, outputs })
    return warnings.map(({ code }) => code)
  }
  expect(await warned({})).toEqual(['VID_OUTPUT_OPAQUE'])
  expect(await warned({ covered: false })).toEqual(['VID_OUTPUT_OPAQUE'])
  expect(await warned({ covered: true })).toEqual([])
})
