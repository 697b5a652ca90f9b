import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineCapture, type PluginContext, type PluginOf } from '@vid/kernel'
import { type RenderEvent, VidError, type Warning } from '@vid/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, painter, presetOf } from '../fixtures/project.ts'
import { createRenderer, openContext, takeStills } from '../index.ts'
import { render } from '../run/render.ts'

const contextOf = (cwd: string, capture: PluginOf<'capture'>) => ({
  cwd,
  env: {},
  presets: presetOf(capture),
})

const gpuLost = () => new VidError('VID_BROWSER_GPU_LOST', { message: 'the GPU was lost', hint: '', fault: 'machine' })

/** Paints on a GPU, which is lost for good at frame 5; without one, all frames. */
const fragile = (format: 'rgba' | 'png' = 'rgba') => {
  const seen: boolean[] = []
  const { open } = painter()
  const capture = defineCapture({
    name: 'fixture-fragile',
    build: async () => '1',
    settings: async ({ browserGpu }) => (browserGpu === false ? {} : { gpu: true }),
    async open(plan, context: PluginContext) {
      const isGpu = plan.capture.settings.gpu === true
      seen.push(isGpu)
      const page = await open(plan, context)
      return {
        ...page,
        async *frames(...range) {
          for await (const frame of page.frames(...range)) {
            if (isGpu && frame.index === 5) throw gpuLost()
            yield { ...frame, format, data: isGpu ? frame.data.fill(200) : frame.data }
          }
        },
      }
    },
  })()
  return { capture, seen }
}

test('a GPU that is lost for good costs a second render of all of it without one: no picture of it is left', async () => {
  const cwd = await makeFolder()
  const { capture, seen } = fragile()
  const events: RenderEvent[] = []
  const { warnings, files } = await render(
    { projectDir: 'intro', output: 'film.mp4' },
    { ...contextOf(cwd, capture), onEvent: (event) => events.push(event) },
  )
  const bytes = await readFile(files[0]?.path ?? '')
  expect([...bytes]).toEqual(Array.from({ length: 15 }, (_, index) => index))
  expect(seen).toContain(true)
  expect(seen.at(-1)).toBe(false)
  expect(warnings.map(({ code }) => code)).toContain('VID_RENDER_OFF_GPU')
  const ends = events.filter(({ type }) => type === 'render-error' || type === 'render-complete')
  expect(ends.map(({ type }) => type)).toEqual(['render-complete'])
})

test('when the caller insists on the GPU, the render fails, and nothing is written', async () => {
  const cwd = await makeFolder()
  const { capture } = fragile()
  const ends: string[] = []
  const rendering = render(
    { projectDir: 'intro', output: 'film.mp4', browserGpu: true },
    { ...contextOf(cwd, capture), onEvent: ({ type }) => ends.push(type) },
  )
  await expect(rendering).rejects.toMatchObject({ code: 'VID_BROWSER_GPU_LOST' })
  expect(ends.filter((type) => type === 'render-error')).toHaveLength(1)
  await expect(readFile(join(cwd, 'film.mp4'))).rejects.toThrow(/ENOENT/)
})

test('stills are all taken again without a lost GPU, unless somebody insists on it', async () => {
  const cwd = await makeFolder()
  const { capture } = fragile('png')
  const stills = { projectDir: 'intro', output: 'stills', at: '0.1s,0.17s' }
  const seen: string[] = []
  const options = { signal: new AbortController().signal, onWarning: ({ code }: Warning) => seen.push(code) }
  const context = await openContext(contextOf(cwd, capture))
  const insisting = takeStills({ ...stills, browserGpu: true }, context, options)
  await expect(insisting).rejects.toMatchObject({ code: 'VID_BROWSER_GPU_LOST' })
  await expect(readdir(join(cwd, 'stills'))).rejects.toThrow(/ENOENT/)
  seen.length = 0
  const { snapshots, warnings } = await takeStills(stills, context, options)
  const files = await Promise.all(snapshots.map(({ path }) => readFile(path)))
  expect(files.map(([first]) => first)).toEqual([3, 5])
  expect(warnings.map(({ code }) => code)).toContain('VID_RENDER_OFF_GPU')
  expect(seen).toContain('VID_RENDER_OFF_GPU')
})

test.each([
  ['a server', { configFrom: 'cwd' }, undefined],
  ['a server, for a caller who wants it where there is one', { configFrom: 'cwd' }, 'auto'],
  ['a plan for machines that nobody knows', {}, undefined],
] as const)('%s uses no GPU unless somebody insists on it', async (_, context, browserGpu) => {
  const cwd = await makeFolder()
  const { capture } = fragile()
  const renderer = await createRenderer({ ...contextOf(cwd, capture), ...context })
  onTestFinished(() => renderer.close())
  const settings = { projectDir: 'intro', ...(browserGpu && { browserGpu }) }
  const settingsOf = async (browserGpu?: boolean) => {
    const { plans } = await renderer.planRender({ ...settings, ...(browserGpu && { browserGpu }) })
    return plans[0]?.capture.settings
  }
  expect(await settingsOf()).toEqual({})
  expect(await settingsOf(true)).toEqual({ gpu: true })
})
