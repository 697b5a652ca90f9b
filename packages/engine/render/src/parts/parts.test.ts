import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { defineCapture, defineEncoder, defineStore, defineTarget, type PluginContext } from '@vid/kernel'
import type { RenderEvent, RenderPlan } from '@vid/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { browserEnded, makeFolder, painter, presetOf } from '../fixtures/project.ts'
import { createRenderer, type Renderer, type RendererOptions, type RenderSettings } from '../index.ts'

const open = async (cwd: string, presets = presetOf(), more: RendererOptions = {}): Promise<Renderer> => {
  const renderer = await createRenderer({ cwd, env: {}, configFrom: 'cwd', presets, ...more })
  onTestFinished(() => renderer.close())
  return renderer
}

const travelled = (plan: RenderPlan) => JSON.parse(JSON.stringify(plan)) as RenderPlan

/** Renders in parts: each in a renderer of its own, from a folder of its own with a copy of the project. */
const renderInParts = async (settings: RenderSettings, presets = presetOf()) => {
  const machine = async () => {
    const folder = await makeFolder()
    return { folder, renderer: await open(folder, presets) }
  }
  const planner = await machine()
  const { plans } = await planner.renderer.planRender(settings)
  const folder = await makeFolder()
  const finished = []
  for (const [number, entry] of plans.entries()) {
    const plan = travelled(entry)
    const segments: [string, ...string[]][] = []
    // The last first: no segment depends on another one.
    for (const { index } of plan.segments.toReversed()) {
      const { renderer } = await machine()
      const [first, ...more] = [plan, ...(plan.outputs ?? [])].map((_, output) =>
        join(folder, `${number}-${index}-${output}`),
      )
      const paths: [string, ...string[]] = [first as string, ...more]
      await renderer.renderSegment(settings, { plan, index, paths })
      segments.unshift(paths)
    }
    finished.push({ plan: travelled(plan), segments })
  }
  const joiner = await machine()
  const outcome = await joiner.renderer.joinSegments(settings, finished)
  return { outcome, plans, bytes: await Promise.all(outcome.files.map(({ path }) => readFile(path))) }
}

test('a render in parts, each on a machine of its own, gives the bytes of a whole render', async () => {
  const settings = { projectDir: 'intro', output: 'film.mp4', segmentFrames: 4 }
  const cwd = await makeFolder()
  await (await open(cwd)).render(settings)
  const { outcome, plans, bytes } = await renderInParts(settings)
  expect(plans[0]?.segments).toHaveLength(4)
  expect(bytes).toEqual([await readFile(join(cwd, 'film.mp4'))])
  expect(outcome.results[0]).toMatchObject({ frames: 15, durationMs: 500, fileSize: 15 })
})

test('formats that share frames, and one that cannot, are joined to a file each', async () => {
  const slow = defineEncoder({
    name: 'fixture-slow',
    formats: ['slow'],
    accepts: ['rgba'],
    maxFps: 10,
    async encode(frames, { path }) {
      const { writeFile } = await import('node:fs/promises')
      let count = 0
      for await (const _ of frames) count += 1
      await writeFile(path, `${count} slow frames`)
      return { file: path }
    },
    async join([first], _audio, { path }) {
      await cp((first as { file: string }).file, path)
      return { path }
    },
  })()
  const presets = presetOf().map((preset) => ({ ...preset, encoders: [...(preset.encoders ?? []), slow] }))
  const settings = { projectDir: 'intro', output: 'film', format: 'mp4,slow,webm', segmentFrames: 8 }
  const { outcome, plans, bytes } = await renderInParts(settings, presets)
  expect(plans.map(({ format, outputs }) => [format, outputs?.map((output) => output.format)])).toEqual([
    ['mp4', ['webm']],
    ['slow', undefined],
  ])
  expect(outcome.files.map(({ path }) => path.split('.').at(-1))).toEqual(['mp4', 'webm', 'slow'])
  expect(bytes.map((data) => data.length)).toEqual([15, 15, '5 slow frames'.length])
})

test('another build of the capture engine refuses a segment, and the joining', async () => {
  const cwd = await makeFolder()
  const settings = { projectDir: 'intro', output: 'film.mp4' }
  const { plans } = await (await open(cwd)).planRender(settings)
  const plan = plans[0] as RenderPlan
  const definition = { ...painter(), name: 'fixture-painter' }
  const updated = defineCapture({ name: 'fixture-painter', build: async () => '2', open: definition.open })()
  const other = await open(cwd, presetOf(updated))
  const paths: [string] = [join(cwd, 'segment')]
  const refused = { code: 'VID_PLAN_BUILD', fault: 'machine' }
  await expect(other.renderSegment(settings, { plan, index: 0, paths })).rejects.toMatchObject(refused)
  await expect(other.joinSegments(settings, [{ plan, segments: [paths] }])).rejects.toMatchObject(refused)
  expect((await readdir(cwd)).sort()).toEqual(['intro'])
})

test('settings of another format, and segments that are missing, are refused before anything is joined', async () => {
  const cwd = await makeFolder()
  const renderer = await open(cwd)
  const { plans } = await renderer.planRender({ projectDir: 'intro', segmentFrames: 8 })
  const plan = plans[0] as RenderPlan
  const other = renderer.joinSegments({ projectDir: 'intro', format: 'webm' }, [{ plan, segments: [] }])
  await expect(other).rejects.toMatchObject({ code: 'VID_PARTS_PLAN' })
  const few = renderer.joinSegments({ projectDir: 'intro' }, [{ plan, segments: [[join(cwd, 'one')]] }])
  await expect(few).rejects.toMatchObject({ code: 'VID_PARTS_FILES' })
  expect(await readdir(cwd)).toEqual(['intro'])
})

test('a target that takes requests whole cannot be split, and says so', async () => {
  const cwd = await makeFolder()
  const render = () => Promise.reject(new Error('sent'))
  const farm = defineTarget({ name: 'fixture-farm', render })()
  const presets = presetOf().map((preset) => ({ ...preset, targets: { farm } }))
  const renderer = await open(cwd, presets)
  expect(await renderer.canSplit({ projectDir: 'intro' })).toBe(true)
  expect(await renderer.canSplit({ projectDir: 'intro', target: 'farm' })).toBe(false)
  const planning = renderer.planRender({ projectDir: 'intro', target: 'farm' })
  await expect(planning).rejects.toMatchObject({ code: 'VID_PARTS_TARGET', fault: 'caller' })
})

test('a segment whose browser ends is rendered again with a new page, and its frames are reported', async () => {
  const cwd = await makeFolder()
  const { open: openPage } = painter()
  let pages = 0
  const failing = defineCapture({
    name: 'fixture-painter',
    build: async () => '1',
    async open(plan, context: PluginContext) {
      const page = await openPage(plan, context)
      pages += 1
      // The first is probed for the plan.
      if (pages !== 2) return page
      return {
        ...page,
        // biome-ignore lint/correctness/useYield: it ends before its first frame.
        async *frames() {
          throw browserEnded()
        },
      }
    },
  })()
  const renderer = await open(cwd, presetOf(failing))
  const settings = { projectDir: 'intro', segmentFrames: 5 }
  const { plans } = await renderer.planRender(settings)
  const events: RenderEvent[] = []
  const rendered = await renderer.renderSegment(
    settings,
    { plan: plans[0] as RenderPlan, index: 1, paths: [join(cwd, 'one')] },
    { renderId: 'mine', onEvent: (event) => events.push(event) },
  )
  expect(rendered).toMatchObject({ index: 1, frames: 5, bytes: 5 })
  expect(rendered.warnings.map(({ code }) => code)).toEqual(['VID_SEGMENT_RETRIED'])
  expect([...(await readFile(join(cwd, 'one')))]).toEqual([5, 6, 7, 8, 9])
  expect(events.at(-1)).toMatchObject({ type: 'segment-complete', renderId: 'mine', index: 1, frames: 5 })
})

test('a caller brings a store of its own, in place of the one of the config', async () => {
  const cwd = await makeFolder()
  const storeOf = (name: string, opened: string[]) =>
    defineStore({
      name,
      async open() {
        opened.push(name)
        const none = async () => undefined
        return {
          get: async () => false,
          put: none,
          read: none,
          write: none,
          touch: none,
          list: async function* () {},
          remove: none,
          close: none,
        }
      },
    })()
  const opened: string[] = []
  const presets = presetOf().map((preset) => ({ ...preset, store: storeOf('of-config', opened) }))
  const renderer = await open(cwd, presets, { store: storeOf('of-renderer', opened) })
  const settings = { projectDir: 'intro', output: 'film.mp4', force: true }
  await renderer.render(settings)
  await renderer.render(settings, { store: storeOf('of-render', opened) })
  await renderer.render({ ...settings, cache: false })
  const { plans } = await renderer.planRender(settings)
  const part = { plan: plans[0] as RenderPlan, index: 0, paths: [join(cwd, 'one')] as [string] }
  await renderer.renderSegment(settings, part, { store: storeOf('of-segment', opened) })
  expect(opened).toEqual(['of-renderer', 'of-render', 'of-segment'])
})

test('an aborted part is cancelled, and leaves nothing', async () => {
  const cwd = await makeFolder()
  const renderer = await open(cwd)
  const settings = { projectDir: 'intro' }
  const { plans } = await renderer.planRender(settings)
  const paths: [string] = [join(cwd, 'one')]
  const part = { plan: plans[0] as RenderPlan, index: 0, paths }
  const signal = AbortSignal.abort()
  for (const work of [
    () => renderer.planRender(settings, { signal }),
    () => renderer.renderSegment(settings, part, { signal }),
    () => renderer.joinSegments(settings, [{ plan: part.plan, segments: [paths] }], { signal }),
  ])
    await expect(work()).rejects.toMatchObject({ code: 'VID_CANCELLED' })
  await mkdir(join(cwd, 'renders'), { recursive: true })
  expect(await readdir(join(cwd, 'renders'))).toEqual([])
  await rm(join(cwd, 'renders'), { recursive: true })
})
