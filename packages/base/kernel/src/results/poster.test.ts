import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { capture, checked, encoder, page, request, setupOf, taps } from '../fixtures/plugins.ts'
import {
  createKernel,
  defineDelivery,
  type EncoderDefinition,
  type KernelSetup,
  render,
  segmentShape,
} from '../index.ts'

type Still = NonNullable<EncoderDefinition<Record<string, unknown>>['still']>

/** Writes which frame of which file it was asked for. */
const still: Still = ({ artifact, frame, path }) =>
  readFile(artifact.path, 'utf8').then((text) => writeFile(path, `${frame} of ${text.split('\n').length} segments`))

/** Six frames at 30 a second, of a page whose scripts have run. */
const length = taps('length', (hooks) => {
  hooks.plan.tapPromise('length', async (plan, { probe }) => {
    await probe(plan)
    return { ...plan, duration: 0.2 }
  })
})

const able = (changes: Parameters<typeof encoder>[0] = {}) => encoder({ still, ...changes })

/** What was delivered: the output path, and the text of its file. */
const renderWith = async (setup: Partial<KernelSetup>, changes = {}) => {
  const delivered: [string, string][] = []
  const delivery = defineDelivery({
    name: 'noting-delivery',
    async deliver({ path }, { outputPath }) {
      delivered.push([outputPath, await readFile(path, 'utf8').catch(() => 'a folder')])
    },
  })()
  const kernel = createKernel(setupOf({ ...setup, plugins: [length], deliveries: [delivery] }))
  const result = await render(kernel, { ...request, output: '/out/film.list', ...changes })
  return { delivered, result, posters: delivered.slice(1) }
}

test.each([
  ['0%', 0],
  ['40%', 2],
  ['100%', 5],
  ['0.1', 3],
  ['100ms', 3],
  ['0.2s', 5],
  ['5f', 5],
])('a poster at %s is frame %d, and is delivered beside the output', async (poster, frame) => {
  const { posters, result } = await renderWith({ encoders: [able()] }, { poster })
  expect(posters).toEqual([['/out/film.poster.jpg', `${frame} of 3 segments`]])
  expect(result.outputs?.map(({ outputPath }) => outputPath)).toEqual(['/out/film.poster.jpg'])
})

test('times of a poster are those of the video, where it is a part of the composition', async () => {
  const { posters } = await renderWith({ encoders: [able()] }, { poster: '50%', from: '2f' })
  expect(posters).toEqual([['/out/film.poster.jpg', '2 of 2 segments']])
})

test('a poster of a video that may be transparent is a png', async () => {
  const encoders = [able({ alpha: true })]
  expect((await renderWith({ encoders }, { poster: '0s' })).posters).toEqual([
    ['/out/film.poster.png', '0 of 3 segments'],
  ])
  const covered = capture({
    open: async () => page({ probe: async () => ({ duration: 1, stateful: false, covered: true }) }),
  })
  expect((await renderWith({ encoders, capture: covered }, { poster: '0s' })).posters).toEqual([
    ['/out/film.poster.jpg', '0 of 3 segments'],
  ])
})

test('the first output that can have a poster has it', async () => {
  const encoders = [
    encoder(),
    able({ name: 'second', formats: ['second'] }),
    able({ name: 'third', formats: ['third'] }),
  ]
  const outputs = [
    { format: 'second', output: '/out/b.second' },
    { format: 'third', output: '/out/c.third' },
  ]
  const { delivered } = await renderWith({ encoders }, { poster: '0s', outputs })
  expect(delivered.map(([path]) => path)).toEqual([
    '/out/film.list',
    '/out/b.second',
    '/out/c.third',
    '/out/b.poster.jpg',
  ])
})

test.each([
  ['a format without posters', [encoder()], { poster: '1f' }, 'VID_POSTER_FORMAT'],
  ['a time after the end', [able()], { poster: '2s' }, 'VID_POSTER_TIME'],
  ['no time', [able()], { poster: 'first' }, 'VID_REQUEST_INVALID'],
])('%s is refused before anything is captured', async (_, encoders, changes, code) => {
  let captured = 0
  const counting = capture({
    open: async () =>
      page({
        frames: () => {
          captured += 1
          throw new Error('captured')
        },
      }),
  })
  await expect(renderWith({ encoders, capture: counting }, changes)).rejects.toMatchObject({ code })
  expect(captured).toBe(0)
})

test('an encoder that writes no poster fails the render, and nothing is delivered', async () => {
  const { delivered } = await renderWith({ encoders: [able()] })
  expect(delivered).toHaveLength(1)
  const failing = renderWith({ encoders: [able({ still: async () => {} })] }, { poster: '0s' })
  await expect(failing).rejects.toMatchObject({ code: 'VID_ARTIFACT_MISSING', plugin: 'list-encoder' })
})

test('segments are reused whatever the poster', async () => {
  const kernel = createKernel(setupOf({ encoders: [able()], plugins: [length] }))
  const shapes = []
  for (const poster of [undefined, '0%', '90%']) {
    const run = await kernel.open({ projectDir: request.projectDir })
    const plan = await run.plan(checked(poster === undefined ? {} : { poster }))
    shapes.push(segmentShape(plan, { index: 0, start: 0, frames: 2 }))
    await run.close()
  }
  expect(new Set(shapes).size).toBe(1)
})
