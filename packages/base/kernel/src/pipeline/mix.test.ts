import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkRequest } from '@vid/protocol'
import { expect, test } from 'vitest'
import { encoder, request, setupOf, taps, soundTrack as track } from '../fixtures/plugins.ts'
import { createKernel, type EncodedFile, type EncoderDefinition, render } from '../index.ts'

const sounding = taps('test-sound', (hooks) => {
  hooks.plan.tap('test-sound', (plan) => ({ ...plan, audio: [track] }))
})

/** A kernel whose mixer answers with `file`, and the calls of the mixer and the encoder. */
const setup = (file: string | null, changes: Partial<EncoderDefinition<Record<string, unknown>>> = {}) => {
  const calls: { mixed: string[]; joined: (EncodedFile | undefined)[] } = { mixed: [], joined: [] }
  const mixer = taps('test-mixer', (hooks) => {
    hooks.mix.tapPromise('test-mixer', async ({ plan, projectDir }) => {
      calls.mixed.push(join(projectDir, plan.audio[0]?.src ?? ''))
      return { file }
    })
  })
  const list = encoder({
    async join(_segments, audio, { path }) {
      calls.joined.push(audio)
      await writeFile(path, 'joined')
      return { path }
    },
    ...changes,
  })
  return { calls, mixer, kernel: createKernel(setupOf({ encoders: [list], plugins: [sounding, mixer] })) }
}

test('the sound of a plan is mixed from the plan and the project, and given to the encoder', async () => {
  const { calls, kernel } = setup('/sound.wav')
  await render(kernel, request)
  expect(calls).toEqual({ mixed: [join(request.projectDir, 'tone.wav')], joined: [{ file: '/sound.wav' }] })
})

test('a silent mix gives the encoder no sound', async () => {
  const { calls, kernel } = setup(null)
  await render(kernel, request)
  expect(calls.joined).toEqual([undefined])
})

test('sound that was mixed elsewhere is not mixed again', async () => {
  const { calls, kernel } = setup('/sound.wav')
  const run = await kernel.open({ projectDir: request.projectDir })
  try {
    const plan = await run.plan(checkRequest(request))
    await run.join(plan, [], { file: '/elsewhere.wav' })
    expect(calls).toEqual({ mixed: [], joined: [{ file: '/elsewhere.wav' }] })
  } finally {
    await run.close()
  }
})

test('a format without sound gives a warning, and nothing is mixed', async () => {
  const { calls, kernel } = setup('/sound.wav', { audio: false })
  const { warnings } = await render(kernel, request)
  expect(warnings).toMatchObject([{ code: 'VID_AUDIO_DROPPED', message: expect.stringMatching(/^The list /) }])
  expect(calls).toEqual({ mixed: [], joined: [undefined] })
})

test('sound that no plugin mixes is an error, not a silent video', async () => {
  const kernel = createKernel(setupOf({ plugins: [sounding] }))
  await expect(render(kernel, request)).rejects.toMatchObject({
    code: 'VID_HOOK_UNANSWERED',
    facts: { hook: 'mix' },
  })
})
