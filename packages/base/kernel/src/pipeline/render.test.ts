import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineErrors, type RenderEvent, type RenderRequestInput } from '@vid/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { capture, checked, encoder, greyFrames, page, request, setupOf, taps } from '../fixtures/plugins.ts'
import {
  createKernel,
  defineDelivery,
  definePlugin,
  defineTarget,
  type KernelSetup,
  render,
  renderOrPlan,
} from '../index.ts'

const renderWith = (setup: Partial<KernelSetup>, changes: Partial<RenderRequestInput> = {}) =>
  render(createKernel(setupOf(setup)), { ...request, ...changes })

test('a kernel without a target renders every segment in this process', async () => {
  const events: RenderEvent[] = []
  const result = await render(createKernel(setupOf()), request, { onEvent: (event) => events.push(event) })
  expect(result).toMatchObject({ frames: 6, durationMs: 200, warnings: [] })
  const rendered = events.flatMap((event) =>
    event.type === 'render-progress' && event.stage === 'render' ? [event.framesRendered] : [],
  )
  expect(rendered).toEqual([1, 2, 3, 4, 5, 6])
  expect(events.at(-1)).toMatchObject({ type: 'render-complete' })
})

test.each([true, false])('a plan that its caller takes (%s) is not rendered here', async (isTaken) => {
  const steps: string[] = []
  const painter = capture({
    async open() {
      steps.push('open')
      return page({ close: async () => void steps.push('close') })
    },
  })
  const delivery = defineDelivery({ name: 'parcel', deliver: async () => void steps.push('deliver') })()
  const kernel = createKernel(setupOf({ capture: painter, deliveries: [delivery] }))
  const observer = definePlugin({
    name: 'observer',
    setup(hooks) {
      hooks.failed.tap('observer', () => void steps.push('failed'))
      hooks.done.tap('observer', () => void steps.push('done'))
    },
  })()
  const observed = createKernel({ ...kernel.setup, plugins: [...(kernel.setup.plugins ?? []), observer] })
  const result = await renderOrPlan(observed, request, {
    async takePlan({ frames, segments }) {
      steps.push(`plan of ${frames} frames in ${segments.length} segments`)
      return isTaken
    },
  })
  expect(result?.frames).toBe(isTaken ? undefined : 6)
  const plan = steps.find((step) => step.startsWith('plan'))
  expect(plan).toMatch(/^plan of 6 frames/)
  expect(steps.filter((step) => step !== plan)).toEqual(isTaken ? [] : ['open', 'close', 'deliver', 'done'])
})

test('pages are closed before the join, and verifying the result opens a new one', async () => {
  const steps: string[] = []
  let pages = 0
  const painter = capture({
    async open() {
      pages += 1
      const name = `page ${pages}`
      steps.push(`open ${name}`)
      return page({ close: async () => void steps.push(`close ${name}`) })
    },
  })
  const looking = encoder({
    async join(segments, _audio, { path }) {
      steps.push('join')
      await writeFile(path, segments.map(({ file }) => file).join('\n'))
      return { path }
    },
    async verify({ frame, samples }) {
      steps.push(`samples ${samples.map(({ index }) => index)}`, `frame ${(await frame(3)).index}`)
    },
  })
  await renderWith({ capture: painter, encoders: [looking] })
  const opened = ['open page 1', 'close page 1', 'join', 'open page 2']
  expect(steps).toEqual([...opened, 'samples 2,3', 'frame 3', 'close page 2'])
})

test('a target decides the order of segments, and every delivery gets the joined result', async () => {
  const delivered: string[] = []
  const target = defineTarget({
    name: 'backwards',
    async run({ segments }, { renderSegment, join }) {
      const files = []
      for (const { index } of segments.toReversed()) files.unshift(await renderSegment(index))
      return join(files)
    },
  })()
  const delivery = (name: string) =>
    defineDelivery({
      name,
      async deliver({ path }) {
        const segments = (await readFile(path, 'utf8')).split('\n')
        delivered.push(...(await Promise.all(segments.map((file) => readFile(file, 'utf8')))))
      },
    })()
  await renderWith({ target, deliveries: [delivery('one'), delivery('other')] })
  expect(delivered).toEqual(['0,1', '2,3', '4,5', '0,1', '2,3', '4,5'])
})

test('the addresses of deliveries are in the result, and in what later deliveries get', async () => {
  const calls: unknown[] = []
  const delivery = (name: string, address: string | undefined) =>
    defineDelivery({
      name,
      async deliver(_artifact, { delivered }) {
        calls.push(delivered)
        return address as string
      },
    })()
  const deliveries = [delivery('first', 's3://films/a.mp4'), delivery('silent', undefined), delivery('last', 'ftp://b')]
  const first = { plugin: 'first', address: 's3://films/a.mp4' }
  expect(await renderWith({ deliveries })).toMatchObject({
    delivered: [first, { plugin: 'last', address: 'ftp://b' }],
  })
  expect(calls).toEqual([undefined, [first], [first]])
})

test.each([
  ['succeeds', async () => {}],
  [
    'fails',
    async () => {
      throw new Error('broken')
    },
  ],
  ['is aborted', async (stop: AbortController) => stop.abort()],
])('a render that %s closes its pages once and removes its folder', async (_, onEncode) => {
  const stop = new AbortController()
  let workDir = ''
  let opened = 0
  const closed: number[] = []
  const painter = capture({
    async open(_, context) {
      workDir = context.workDir
      opened += 1
      const number = opened
      return page({ close: async () => void closed.push(number) })
    },
  })
  const encoding = encoder({
    async encode(frames, { path }) {
      for await (const { index } of frames) {
        expect(existsSync(workDir)).toBe(true)
        await onEncode(stop)
        await writeFile(path, `${index}`)
      }
      return { file: path }
    },
  })
  const kernel = createKernel(setupOf({ capture: painter, encoders: [encoding] }))
  await render(kernel, request, { signal: stop.signal }).catch(() => {})
  expect(opened).toBeGreaterThan(0)
  expect(closed).toEqual(Array.from({ length: opened }, (_, index) => index + 1))
  expect(existsSync(workDir)).toBe(false)
})

test('after a failure, running segments end before their folder is removed', async () => {
  let release = () => {}
  let workDir = ''
  const encoding = encoder({
    async encode(frames, { index, path }, context) {
      workDir = context.workDir
      if (index === 1) throw new Error('broken')
      await new Promise<void>((resolve) => {
        release = resolve
      })
      for await (const _ of frames);
      return { file: path }
    },
  })
  const target = defineTarget({
    name: 'hasty',
    run: async (_, { renderSegment, join }) => join(await Promise.all([renderSegment(0), renderSegment(1)])),
  })()
  const failed = taps('observer', (hooks) => {
    hooks.failed.tap('observer', () => {
      expect(existsSync(workDir)).toBe(true)
      setImmediate(() => {
        expect(existsSync(workDir)).toBe(true)
        release()
      })
    })
  })
  await expect(renderWith({ encoders: [encoding], target, plugins: [failed] })).rejects.toThrow('broken')
  expect(existsSync(workDir)).toBe(false)
})

test('one page serves the probe and every later segment; an earlier segment gets a new page', async () => {
  let opened = 0
  const ranges: string[] = []
  const painter = capture({
    async open() {
      const number = ++opened
      return page({
        frames(range) {
          ranges.push(`page ${number} from ${range.start}`)
          return greyFrames(range)
        },
      })
    },
  })
  const prober = taps('prober', (hooks) => {
    hooks.plan.tapPromise({ name: 'prober', stage: 1 }, async (plan, { probe }) => {
      expect((await probe(plan)).duration).toBe(1)
      return plan
    })
  })
  const kernel = createKernel(setupOf({ capture: painter, plugins: [prober] }))
  const run = await kernel.open(request)
  onTestFinished(() => run.close())
  const plan = await run.plan(checked())
  for (const index of [0, 2, 1]) await run.renderSegment(plan, index)
  expect(ranges).toEqual(['page 1 from 0', 'page 1 from 4', 'page 2 from 2'])
})

test('a page that opens after the render has been closed is closed too', async () => {
  let arrive = () => {}
  let closes = 0
  const painter = capture({
    open: () =>
      new Promise((resolve) => {
        arrive = () => resolve(page({ close: async () => void closes++ }))
      }),
  })
  const run = await createKernel(setupOf({ capture: painter })).open(request)
  const plan = await run.plan(checked())
  const segment = run.renderSegment(plan, 0).catch(() => {})
  await new Promise(setImmediate)
  const closing = run.close()
  arrive()
  await Promise.all([closing, segment])
  expect(closes).toBe(1)
})

test('a warning is reported once, with the plugin that it came from', async () => {
  const warning = { code: 'VID_GREY', message: 'all is grey' }
  const painter = capture({
    async open(_, { warn }) {
      for (let times = 0; times < 3; times += 1) warn(warning)
      return page()
    },
  })
  const { warnings } = await renderWith({ capture: painter })
  expect(warnings).toEqual([{ plugin: 'grey-capture', ...warning }])
})

test('an encoder that leaves frames unread or writes no file is named in the error', async () => {
  const lazy = encoder({ encode: async (_, { path }) => ({ file: path }) })
  await expect(renderWith({ encoders: [lazy] })).rejects.toMatchObject({
    code: 'VID_FRAMES_UNREAD',
    plugin: 'list-encoder',
    message: expect.stringContaining('0 of 2'),
  })
  const empty = encoder({
    async encode(frames, { path }) {
      for await (const _ of frames);
      return { file: path }
    },
  })
  await expect(renderWith({ encoders: [empty] })).rejects.toMatchObject({
    code: 'VID_ARTIFACT_MISSING',
    plugin: 'list-encoder',
  })
})

test('a target without a result is named in the error', async () => {
  const nowhere = defineTarget({ name: 'nowhere', run: async () => ({ path: 'no/such/file' }) })()
  await expect(renderWith({ target: nowhere })).rejects.toMatchObject({
    code: 'VID_ARTIFACT_MISSING',
    plugin: 'nowhere',
  })
})

test('the size of a folder of images is the sum of its files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kernel-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of ['a', 'b']) await writeFile(join(folder, name), 'four')
  const target = defineTarget({ name: 'folder', run: async () => ({ path: folder }) })()
  expect(await renderWith({ target })).toMatchObject({ fileSize: 8 })
})

const faults = defineErrors({
  VID_TEST_KILLED: (_: object) => ({ message: 'the browser was killed', hint: 'again', fault: 'machine' }),
  VID_TEST_BROKEN: (_: object) => ({ message: 'the page is broken', hint: 'mend it', fault: 'render' }),
})

/** A capture whose page fails its first probes; `opened` counts the pages. */
const failingProbes = (code: 'VID_TEST_KILLED' | 'VID_TEST_BROKEN', failures: number) => {
  let opened = 0
  let closed = 0
  const probe = async () => {
    if (opened <= failures) throw faults(code, {})
    return { duration: 1, stateful: false, media: [] }
  }
  const close = async () => {
    closed += 1
  }
  const failing = capture({
    async open() {
      opened += 1
      return page({ probe, close })
    },
  })
  return { failing, count: () => ({ opened, closed }) }
}

/** Has the page probed, as the reader of real compositions has. */
const probing = definePlugin({
  name: 'probing',
  setup: (hooks) =>
    hooks.plan.tapPromise('probing', async (plan, context) => {
      await context.probe(plan)
      return plan
    }),
})()

test('a page that the machine ends before any frame is opened again, and each is closed', async () => {
  const { failing, count } = failingProbes('VID_TEST_KILLED', 2)
  const { warnings, frames } = await renderWith({ capture: failing, plugins: [probing] })
  expect(frames).toBe(6)
  expect(warnings.map(({ code }) => code)).toEqual(['VID_PAGE_RETRIED'])
  expect(count()).toEqual({ opened: 3, closed: 3 })
})

test.each([
  ['VID_TEST_KILLED', 3],
  ['VID_TEST_BROKEN', 1],
] as const)('a page that always ends with %s is opened %i times', async (code, opened) => {
  const { failing, count } = failingProbes(code, 10)
  await expect(renderWith({ capture: failing, plugins: [probing] })).rejects.toMatchObject({ code })
  expect(count()).toEqual({ opened, closed: opened })
})
