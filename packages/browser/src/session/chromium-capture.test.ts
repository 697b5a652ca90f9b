import { checkRequest, noSources, type PluginContext, type PluginOf, portableOptions } from '@vid/kernel'
import { expect, test, vi } from 'vitest'
import { chromiumDriver } from '../fixtures/chromium-driver.ts'
import { defineBrowserCapture, defineChromiumCapture } from '../index.ts'

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

const request = checkRequest({ projectDir: '/p', output: '/o.mp4' })

const contextOf = (options: object) => {
  const notes: string[] = []
  const context: PluginContext = {
    options: { lane: 'auto', sandbox: 'auto', privateHosts: [], ...options },
    signal: new AbortController().signal,
    ...{ projectDir: '/p', workDir: '/w', sources: { file: () => Promise.reject(new Error('no source')) } },
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

test('a GPU is in the settings and named in the build, which otherwise stays as it is', async () => {
  const { context, notes } = contextOf({ gpuBackend: 'swiftshader' })
  const capture = engine()
  for (const browserGpu of [true, 'auto'] as const)
    expect(await capture.settings?.({ ...request, browserGpu }, context)).toEqual({ gpu: true })
  expect(new Set(notes)).toEqual(new Set([expect.stringMatching(/as by the processor: \d\d\.\d dB/)]))
  const build = await capture.build(context)
  expect(await capture.build(context, {})).toBe(build)
  const drawn = await capture.build(context, { gpu: true })
  expect(drawn.startsWith(`${build}, GPU `)).toBe(true)
  expect(drawn).toMatch(/SwiftShader.*driver SwANGLE/)
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
