import { createPool, noSources, type PluginContext, type PluginOf } from '@vid/kernel'
import { checkRequest, portableOptions, type RenderPlan, type RenderRequest } from '@vid/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { longTest } from '../../../../scripts/dev/part-of.ts'
import { chromiumDriver } from './fixtures/chromium-driver.ts'
import { height, makeProject, pageOf, watchDriver, width } from './fixtures/session.ts'
import { defineBrowserCapture, defineChromiumCapture } from './index.ts'

const driver = {
  launch: async () => {
    throw new Error('no browser is needed here')
  },
}
const machine = { executablePath: '/opt/browser', privateHosts: ['build.internal'] }
const planned = ({ optionsSchema, options }: PluginOf<'capture'>) => portableOptions(optionsSchema, options)

test('a plan holds how pages are captured, but not the program or the private hosts of a machine', () => {
  const chromium = defineChromiumCapture('a-capture', driver)
  expect(planned(chromium({ lane: 'screenshot', ...machine }))).toEqual({ lane: 'screenshot' })
  const either = defineBrowserCapture('b-capture', {
    chromium: driver,
    firefox: { ...driver, browser: 'Firefox', lacks: [] },
  })
  expect(planned(either({ browser: 'firefox', ...machine }))).toEqual({ browser: 'firefox', lane: 'auto' })
})

test('the build names the system, which draws glyphs in its own way', async () => {
  const capture = defineChromiumCapture('a-capture', driver)()
  const system = `${process.platform} ${process.arch}`
  const context = { ...capture, signal: new AbortController().signal, projectDir: '/', workDir: '/' }
  const build = await capture.build?.({ ...context, sources: noSources, warn: () => {} })
  expect(build).toMatch(new RegExp(`^\\S+ [\\d.]+ ${system} auto, page [0-9a-f]{16}$`))
})

const request = checkRequest({ projectDir: '/p', output: '/o.mp4', raster: 'portable' })

const contextOf = (options: object) => {
  const notes: string[] = []
  const context: PluginContext = {
    options: { lane: 'auto', sandbox: 'auto', privateHosts: [], ...options },
    signal: new AbortController().signal,
    projectDir: '/p',
    workDir: '/w',
    sources: { file: () => Promise.reject(new Error('no source')) },
    warn: () => {},
    note: (reason) => notes.push(reason),
  }
  return { context, notes }
}

const engine = () => defineChromiumCapture('a-capture', chromiumDriver)()

test('without the GPU, nothing of it is in a plan, and no browser is started to look for one', async () => {
  const { context, notes } = contextOf({})
  const idle = defineChromiumCapture('a-capture', driver)()
  expect(await idle.settings?.({ ...request, browserGpu: false }, context)).toEqual({})
  vi.stubEnv('container', 'podman')
  expect(await idle.settings?.({ ...request, browserGpu: 'auto' }, context)).toEqual({})
  vi.unstubAllEnvs()
  expect(notes).toEqual([expect.stringMatching(/^no GPU: this is a container/)])
})

longTest('a GPU is in the settings and named in the build, which otherwise stays as it is', async () => {
  const { context, notes } = contextOf({ gpuBackend: 'swiftshader' })
  const capture = engine()
  for (const browserGpu of [true, 'auto'] as const)
    expect(await capture.settings?.({ ...request, browserGpu }, context)).toEqual({ gpu: true })
  expect(new Set(notes)).toEqual(new Set([expect.stringMatching(/as by the processor: \d\d\.\d dB/)]))
  const build = await capture.build(context)
  expect(await capture.build(context, {})).toBe(build)
  const gpuBuild = await capture.build(context, { gpu: true })
  expect(gpuBuild.startsWith(`${build}, GPU `)).toBe(true)
  expect(gpuBuild).toMatch(/SwiftShader.*driver SwANGLE/)
})

test('a way to a GPU that does not work is an error for a caller who insists, and a note for others', async () => {
  // Metal is on no Linux; other systems have no EGL of their own.
  const gpuBackend = process.platform === 'linux' ? 'metal' : 'gl-egl'
  const { context, notes } = contextOf({ gpuBackend })
  const capture = engine()
  await expect(capture.settings?.({ ...request, browserGpu: true }, context)).rejects.toMatchObject({
    code: 'VID_BROWSER_GPU_UNAVAILABLE',
    fault: 'machine',
    message: expect.stringContaining(`${gpuBackend}: `),
  })
  expect(await capture.settings?.({ ...request, browserGpu: 'auto' }, context)).toEqual({})
  expect(notes).toEqual([expect.stringContaining(`no GPU: ${gpuBackend}: `)])
  // A plan from a machine with a GPU says so too, and is refused for its build.
  expect(await capture.build(context, { gpu: true })).toMatch(/, no GPU$/)
})

test('Firefox is refused to a caller who insists on a GPU, and drawn without one for others', async () => {
  const either = defineBrowserCapture('b-capture', {
    chromium: driver,
    firefox: { ...driver, browser: 'Firefox', lacks: [] },
  })()
  const { context, notes } = contextOf({ browser: 'firefox' })
  await expect(either.settings?.({ ...request, browserGpu: true }, context)).rejects.toMatchObject({
    code: 'VID_BROWSER_LACKS',
  })
  expect(await either.settings?.({ ...request, browserGpu: 'auto' }, context)).toEqual({})
  expect(notes).toEqual([expect.stringContaining('firefox')])
})

const V3 = 'x86-64-v3 GenuineIntel 6'

test('the instruction sets of the processor are in the plan with its build, and another processor has another build', async () => {
  const { context, notes } = contextOf({})
  const capture = (level: string) => defineChromiumCapture('a-capture', driver, () => ({ level }))()
  const localCapture = capture(V3)
  const off = { ...request, browserGpu: false }
  for (const raster of ['auto', 'native'] as const)
    expect(await localCapture.settings?.({ ...off, raster }, context)).toEqual({ raster: 'native' })
  expect(await localCapture.settings?.(off, context)).toEqual({})
  expect(notes).toEqual([])
  const build = await localCapture.build(context, { raster: 'native' })
  expect(build).toBe(`${await localCapture.build(context, {})}, raster ${V3}`)
  const remoteCapture = capture('x86-64-v4 AuthenticAMD 26')
  expect(await remoteCapture.build(context, { raster: 'native' })).not.toBe(build)
  expect(await remoteCapture.build(context, {})).toBe(await localCapture.build(context, {}))
})

test('where the instruction sets are not known, pages are drawn as everywhere, unless a caller insists', async () => {
  const { context, notes } = contextOf({})
  const unknown = defineChromiumCapture('a-capture', driver, () => ({ reason: 'the processors differ' }))()
  const off = { ...request, browserGpu: false }
  expect(await unknown.settings?.({ ...off, raster: 'auto' }, context)).toEqual({})
  expect(notes).toEqual(['raster portable: the processors differ'])
  await expect(unknown.settings?.({ ...off, raster: 'native' }, context)).rejects.toMatchObject({
    code: 'VID_BROWSER_RASTER_UNAVAILABLE',
    fault: 'machine',
    message: 'Raster "native" is set, but the processors differ.',
  })
  // A plan from a machine that knows them says so too, and is refused for its build.
  expect(await unknown.build(context, { raster: 'native' })).toMatch(/, raster unknown$/)
  const plan = { capture: { settings: { raster: 'native' } } } as unknown as RenderPlan
  await expect(unknown.open(plan, context)).rejects.toMatchObject({ code: 'VID_BROWSER_RASTER_UNAVAILABLE' })
})

test('Firefox, whose instruction sets nobody can choose, is refused to a caller who insists on those of the processor', async () => {
  const either = defineBrowserCapture('b-capture', {
    chromium: driver,
    firefox: { ...driver, browser: 'Firefox', lacks: [] },
  })()
  const { context } = contextOf({ browser: 'firefox' })
  const off = { ...request, browserGpu: false }
  expect(await either.settings?.({ ...off, raster: 'auto' }, context)).toEqual({})
  await expect(either.settings?.({ ...off, raster: 'native' }, context)).rejects.toMatchObject({
    code: 'VID_BROWSER_LACKS',
  })
})

const prepareAndOpen = async (html: string, changes: Partial<RenderRequest> = {}) => {
  const projectDir = await makeProject({ 'index.html': html })
  const watch = watchDriver()
  const shared = createPool()
  const preparing = vi.spyOn(shared, 'prepare')
  onTestFinished(() => shared.close())
  const capture = defineChromiumCapture('a-capture', watch.driver)()
  const context = { ...contextOf({}).context, projectDir, shared }
  await capture.prepare?.({ ...request, ...changes }, context)
  const page = { width, height, fps: 30, variables: {}, alpha: false, frames: 1, media: [] }
  const composition = { entry: 'index.html' }
  const plan = { ...page, composition, capture: { settings: {} } } as unknown as RenderPlan
  const session = await capture.open(plan, context)
  await session.close()
  return { prepared: preparing.mock.calls.length, launched: watch.pids.length }
}

test('the browser that is started beside the plan is the one that the page is opened in', async () => {
  expect(await prepareAndOpen(pageOf('flat'))).toEqual({ prepared: 1, launched: 1 })
})

test('no browser is started beside the plan where its kind is not known yet', async () => {
  expect(await prepareAndOpen(pageOf('scaled'), { scale: 2 })).toEqual({ prepared: 0, launched: 1 })
  expect(await prepareAndOpen(pageOf('drawn'), { browserGpu: true })).toEqual({ prepared: 0, launched: 1 })
})
