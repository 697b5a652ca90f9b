import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel, defineCapture, defineEncoder, definePlugin, render } from '@vid/kernel'
import { expect, onTestFinished, test, vi } from 'vitest'
import local from './index.ts'

// The test does not depend on this machine's memory.
vi.mock('./workers.ts', async (load) => ({ ...(await load<object>()), hasMemoryToHold: () => true }))

/** Segments of two frames, where the encoder of the first segment waits until the second has started. */
const makePlugins = (last: (segment: number, signal: AbortSignal) => Promise<void>) => {
  const begun: number[] = []
  let secondBegan = () => {}
  const second = new Promise<void>((resolve) => {
    secondBegan = resolve
  })
  const capture = defineCapture({
    name: 'test-capture',
    build: async () => '1',
    open: async ({ width, height }) => ({
      probe: async () => ({ duration: null, stateful: false }),
      async *frames({ index: segment, start, frames }) {
        begun.push(segment)
        if (segment === 1) secondBegan()
        for (let index = start; index < start + frames; index += 1)
          yield { index, format: 'rgba' as const, data: new Uint8Array(width * height * 4).fill(index) }
      },
      close: async () => {},
    }),
  })
  const encoder = defineEncoder({
    name: 'test-encoder',
    formats: ['mp4'],
    accepts: ['rgba'],
    async encode(frames, { index: segment, path }, { signal }) {
      const firsts: number[] = []
      for await (const { data } of frames) firsts.push(data[0] ?? 0)
      if (segment === 0) await second
      await last(segment, signal)
      await writeFile(path, Uint8Array.from(firsts))
      return { file: path }
    },
    async join(segments, _audio, { path }) {
      await writeFile(path, Buffer.concat(await Promise.all(segments.map(({ file }) => readFile(file)))))
      return { path }
    },
  })
  return { begun, capture, encoder }
}

/** Makes every plan three segments of two small frames. */
const sized = definePlugin({
  name: 'test-plan',
  setup: (hooks) => hooks.plan.tap('test-plan', (plan) => ({ ...plan, width: 16, height: 16, frames: 6 })),
})

const run = async ({ capture, encoder }: ReturnType<typeof makePlugins>) => {
  const projectDir = await mkdtemp(join(tmpdir(), 'vid-local-'))
  onTestFinished(() => rm(projectDir, { recursive: true, force: true }))
  const plugins = { capture: capture(), encoders: [encoder()], plugins: [sized()] }
  const kernel = createKernel({ ...plugins, target: local({ retries: 0 }) })
  const request = { projectDir, output: join(projectDir, 'out.mp4'), workers: 1, segmentFrames: 2 }
  return render(kernel, request)
}

test('a worker starts a segment while the one before is still being encoded', async () => {
  const plugins = makePlugins(async () => {})
  expect((await run(plugins)).frames).toBe(6)
  expect(plugins.begun).toEqual([0, 1, 2])
})

test('an encoder that fails after reading its frames ends the render, and no further segment starts', async () => {
  const plugins = makePlugins(async (segment, signal) => {
    if (segment === 0) throw new Error('no room')
    // The failure of the first stops the second; nothing else ends it.
    if (!signal.aborted) await once(signal, 'abort')
    signal.throwIfAborted()
  })
  await expect(run(plugins)).rejects.toThrow('no room')
  expect(plugins.begun).toEqual([0, 1])
})
