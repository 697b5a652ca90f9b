import { access, readFile, writeFile } from 'node:fs/promises'
import type { RenderPlan } from '@vid/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { encoder, request, setupOf, taps, soundTrack as track } from '../fixtures/plugins.ts'
import { createKernel, createPool, render } from '../index.ts'

/** A kernel of plans that are changed, and what its mixer and its encoder were called with. */
const setup = (change: (plan: RenderPlan) => Partial<RenderPlan>) => {
  const calls: { mixed: string[]; joined: string[] } = { mixed: [], joined: [] }
  const sounding = taps('test-sound', (hooks) => {
    hooks.plan.tap('test-sound', (plan) => ({ ...plan, audio: [track], ...change(plan) }))
  })
  const mixer = taps('test-mixer', (hooks) => {
    hooks.mix.tapPromise('test-mixer', async ({ path, warn }) => {
      calls.mixed.push(path)
      warn({ code: 'TEST_DAMAGED', message: 'The sound is damaged.' })
      await writeFile(`${path}.wav`, `mix ${calls.mixed.length}`)
      return { file: `${path}.wav` }
    })
  })
  const list = encoder({
    async join(_segments, audio, { path }) {
      calls.joined.push(await readFile(audio?.file ?? '', 'utf8'))
      await writeFile(path, 'joined')
      return { path }
    },
  })
  return { calls, kernel: createKernel(setupOf({ encoders: [list], plugins: [sounding, mixer] })) }
}

const openSounds = () => {
  const sounds = createPool({ max: 1 })
  onTestFinished(() => sounds.close())
  return sounds
}

test('renders whose plans differ in their pages alone share one mix, and its warnings', async () => {
  const shapes = ['2:2', '4:1', '1:4']
  const { calls, kernel } = setup(() => {
    const shape = shapes.shift() ?? ''
    const [width = 1, height = 1] = shape.split(':').map(Number)
    return { width, height, composition: { entry: 'index.html', id: 'main', shape, digest: 'a1', stateful: false } }
  })
  const sounds = openSounds()
  const results = []
  for (let count = 0; count < 3; count += 1) results.push(await render(kernel, request, { sounds }))
  expect(calls.mixed).toHaveLength(1)
  expect(calls.joined).toEqual(['mix 1', 'mix 1', 'mix 1'])
  for (const { warnings } of results) expect(warnings).toMatchObject([{ code: 'TEST_DAMAGED' }])
  await sounds.close()
  await expect(access(`${calls.mixed[0]}.wav`)).rejects.toThrow()
})

test('a plan whose sound differs has its own mix', async () => {
  let volume = 0.25
  const { calls, kernel } = setup(() => {
    volume += 0.25
    return { audio: [{ ...track, volume }] }
  })
  const sounds = openSounds()
  for (let count = 0; count < 2; count += 1) await render(kernel, request, { sounds })
  expect(calls.joined).toEqual(['mix 1', 'mix 2'])
})

test('without others, each render mixes its sound', async () => {
  const { calls, kernel } = setup(() => ({}))
  for (let count = 0; count < 2; count += 1) await render(kernel, request)
  expect(calls.joined).toEqual(['mix 1', 'mix 2'])
})

test('a mix that ended with another render is made again', async () => {
  const { calls, kernel } = setup(() => ({}))
  const sounds = openSounds()
  // The first that asks gets what an aborted render leaves.
  const pool = { ...sounds, acquire: () => Promise.reject(new Error('the other render was stopped')) }
  await render(kernel, request, { sounds: pool })
  expect(calls.joined).toEqual(['mix 1'])
})
