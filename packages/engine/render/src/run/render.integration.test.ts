import { access, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineEncoder, defineTarget, type MachineShare } from '@vid/kernel'
import type { RenderEvent, RenderRequest } from '@vid/protocol'
import { machineCores, machineMemory } from '@vid/system'
import { expect, onTestFinished, test } from 'vitest'
import { elsewhere } from '../fixtures/elsewhere.ts'
import { browserEnded, makeFolder, painter, presetOf, sleeper } from '../fixtures/project.ts'
import {
  type ContextOptions,
  createRenderer,
  inspectRender,
  openContext,
  type RendererOptions,
  type RenderSettings,
  render,
} from '../index.ts'

const contextOf = (cwd: string, presets = presetOf()): ContextOptions => ({ cwd, env: {}, presets })

test('a render needs only a folder; its file is named after the folder and has every frame', async () => {
  const cwd = await makeFolder()
  const { files, results, warnings } = await render({ projectDir: 'intro' }, contextOf(cwd))
  const path = join(cwd, 'renders/intro.mp4')
  expect({ files, warnings }).toEqual({ files: [{ path, bytes: 15 }], warnings: [] })
  expect(results[0]).toMatchObject({ outputPath: path, frames: 15, durationMs: 500 })
  expect([...(await readFile(path))]).toEqual(Array.from({ length: 15 }, (_, index) => index))
})

test('several formats give a file each, and a single format is inferred from the extension of the output', async () => {
  const cwd = await makeFolder()
  const both = await render({ projectDir: 'intro', format: 'mp4,webm', output: 'a.mp4' }, contextOf(cwd))
  expect(both.files.map(({ path }) => path)).toEqual([join(cwd, 'a.mp4'), join(cwd, 'a.webm')])
  const one = await render({ projectDir: 'intro', output: 'b.webm' }, contextOf(cwd))
  expect(one.files.map(({ path }) => path)).toEqual([join(cwd, 'b.webm')])
})

test('events come in order, those of the settings first, and warnings are in the result too', async () => {
  const cwd = await makeFolder()
  const events: RenderEvent[] = []
  const { warnings } = await render(
    { projectDir: 'intro', gifLoop: 3, variables: { titel: 'x' } },
    { ...contextOf(cwd), onEvent: (event) => events.push(event) },
  )
  const types = events.map(({ type }) => type)
  expect(types[0]).toBe('warning')
  expect(types[1]).toBe('render-start')
  expect(types.at(-1)).toBe('render-complete')
  const codes = ['VID_FLAG_WITHOUT_EFFECT', 'VID_VARIABLE_UNDECLARED']
  expect(warnings.map(({ code }) => code)).toEqual(codes)
  expect(warnings[0]?.message).toBe('gifLoop has no effect on mp4.')
  expect(events.at(-1)).toMatchObject({ warnings: codes.map((code) => ({ code })) })
})

test.each([
  [{ crf: 70 }, 'VID_REQUEST_INVALID'],
  [{ fsp: 30 }, 'VID_REQUEST_INVALID'],
  [{ hdr: true, sdr: true }, 'VID_REQUEST_INVALID'],
  [{ crf: 20, videoBitrate: '10M' }, 'VID_REQUEST_INVALID'],
  [{ format: 4 }, 'VID_REQUEST_INVALID'],
  [{ outputs: [] }, 'VID_REQUEST_INVALID'],
  [{ variables: 'hello' }, 'VID_REQUEST_INVALID'],
  [{ variables: { big: 10n } }, 'VID_REQUEST_INVALID'],
  [{ output: 'intro/index.html' }, 'VID_OUTPUT_INPUT'],
  [{ output: '/dev/null' }, 'VID_OUTPUT_KIND'],
  [{ format: 'avi' }, 'VID_FORMAT_UNKNOWN'],
  [{ preset: 'none' }, 'VID_PRESET_UNKNOWN'],
  [{ target: 'moon' }, 'VID_TARGET_UNKNOWN'],
  [{ projectDir: 'nowhere' }, 'VID_PROJECT_MISSING'],
  [{ variables: { titel: 'x' }, strictVariables: true }, 'VID_VARIABLES_STRICT'],
])('settings %# are a coded error, and leave no file', async (settings, code) => {
  const cwd = await makeFolder()
  const rendering = render({ projectDir: 'intro', ...settings } as RenderSettings, contextOf(cwd))
  await expect(rendering).rejects.toMatchObject({
    code,
    fault: code === 'VID_VARIABLES_STRICT' ? 'render' : 'caller',
  })
  await expect(access(join(cwd, 'renders'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('strict refuses a composition with lint errors before anything is captured', async () => {
  const broken =
    '<div data-composition-id="a" data-width="16" data-height="16" data-duration="1"><img src="no.png"></div>'
  const cwd = await makeFolder({ 'broken/index.html': broken })
  const { capture, seen } = sleeper()
  const rendering = render({ projectDir: 'broken', strict: true }, contextOf(cwd, presetOf(capture)))
  await expect(rendering).rejects.toMatchObject({ code: 'VID_LINT_STRICT' })
  expect(seen.opened).toBe(0)
})

test('lint findings are reported during the capture to a caller that listens', async () => {
  const broken =
    '<div data-composition-id="a" data-width="16" data-height="16" data-duration="1"><img src="no.png"></div>'
  const cwd = await makeFolder({ 'broken/index.html': broken })
  const codes: string[] = []
  const onFindings = (findings: readonly { code: string }[]) => codes.push(...findings.map(({ code }) => code))
  await render({ projectDir: 'broken' }, { ...contextOf(cwd), onFindings })
  expect(codes).toContain('lint/missing-asset')
})

test('an abort rejects with VID_CANCELLED, closes pages, and leaves no file', async () => {
  const cwd = await makeFolder()
  const { capture, seen } = sleeper()
  const stop = new AbortController()
  const rendering = render(
    { projectDir: 'intro' },
    {
      ...contextOf(cwd, presetOf(capture)),
      signal: stop.signal,
      onEvent: (event) => event.type === 'render-progress' && event.framesRendered > 0 && stop.abort(),
    },
  )
  await expect(rendering).rejects.toMatchObject({ code: 'VID_CANCELLED' })
  expect(seen).toEqual({ opened: 1, closed: 1 })
  await expect(access(join(cwd, 'renders'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('an abort before the start cancels too', async () => {
  const cwd = await makeFolder()
  const rendering = render({ projectDir: 'intro' }, { ...contextOf(cwd), signal: AbortSignal.abort() })
  await expect(rendering).rejects.toMatchObject({ code: 'VID_CANCELLED' })
})

test('the config of the folder fills in settings; a server uses only its own config', async () => {
  const cwd = await makeFolder({ 'intro/vid.config.json': '{ "render": { "fps": 60 } }' })
  const run = await render({ projectDir: 'intro' }, contextOf(cwd))
  expect(run.results[0]?.frames).toBe(30)
  const server = await render({ projectDir: 'intro' }, { ...contextOf(cwd), configFrom: 'cwd' })
  expect(server.results[0]?.frames).toBe(15)
})

test('renders of one renderer capture one after another, and each is cancelled by its own signal', async () => {
  const cwd = await makeFolder()
  const { capture, seen } = sleeper()
  const renderer = await createRenderer(contextOf(cwd, presetOf(capture)))
  const first = new AbortController()
  const second = new AbortController()
  const captured: string[] = []
  const start = (name: string, { signal }: AbortController, then: () => void) =>
    renderer.render(
      { projectDir: 'intro', output: `${name}.mp4` },
      {
        signal,
        onEvent: (event) => {
          if (event.type !== 'render-progress' || event.framesRendered === 0) return
          captured.push(name)
          then()
        },
      },
    )
  const one = start('one', first, () => second.abort())
  const two = start('two', second, () => {})
  await expect(two).rejects.toMatchObject({ code: 'VID_CANCELLED' })
  const three = start('three', new AbortController(), () => void renderer.close())
  first.abort()
  await expect(one).rejects.toMatchObject({ code: 'VID_CANCELLED' })
  await expect(three).rejects.toMatchObject({ code: 'VID_CANCELLED' })
  expect(captured).toEqual(['one', 'three'])
  expect(seen.closed).toBe(seen.opened)
})

test.each([0, -1, 1.5, Number.NaN, 100])('a renderer for %d captures at once is refused', async (concurrency) => {
  await expect(createRenderer({ concurrency })).rejects.toMatchObject({ code: 'VID_REQUEST_INVALID' })
})

test('a browser that dies once costs a second try: one end, and the warning is in the result', async () => {
  const cwd = await makeFolder()
  let opened = 0
  const capture = {
    ...painter(),
    open: async (...args: Parameters<ReturnType<typeof painter>['open']>) => {
      opened += 1
      // As often as the page is opened before the render gives up.
      if (opened <= 3) throw browserEnded()
      return painter().open(...args)
    },
  }
  const renderer = await createRenderer(contextOf(cwd, presetOf(capture)))
  onTestFinished(() => renderer.close())
  const ends: string[] = []
  const { warnings } = await renderer.render(
    { projectDir: 'intro' },
    { onEvent: ({ type }) => (type === 'render-error' || type === 'render-complete') && ends.push(type) },
  )
  expect(ends).toEqual(['render-complete'])
  expect(warnings.map(({ code }) => code)).toContain('VID_RENDER_RETRIED')
})

test('renders at once of an isolated renderer use different browsers, and the next one gets one of them', async () => {
  const cwd = await makeFolder()
  let browsers = 0
  const used: Record<string, number> = {}
  const closed: number[] = []
  let meet = () => {}
  const met = new Promise<void>((resolve) => {
    meet = resolve
  })
  const capture = {
    ...painter(),
    async open(...args: Parameters<ReturnType<typeof painter>['open']>) {
      const [, { shared }] = args
      const page = await painter().open(...args)
      const lease = await shared?.acquire('browser', async () => {
        browsers += 1
        const number = browsers
        return { number, close: async () => void closed.push(number) }
      })
      used[String(args[0].variables.title)] = lease?.value.number ?? 0
      if (Object.keys(used).length === 3) meet()
      // Two capture and one prepares: all have their page before any of them goes on.
      await met
      return {
        ...page,
        async close() {
          lease?.release()
          await page.close()
        },
      }
    },
  }
  const renderer = await createRenderer({
    ...contextOf(cwd, presetOf(capture)),
    concurrency: 2,
    isolated: true,
  })
  const start = (title: string) =>
    renderer.render({ projectDir: 'intro', output: `${title}.mp4`, variables: { title } })
  await Promise.all(['one', 'two', 'three'].map(start))
  expect(Object.values(used).toSorted()).toEqual([1, 2, 3])
  await start('four')
  expect([browsers, closed]).toEqual([3, []])
  await renderer.close()
  expect(closed.toSorted()).toEqual([1, 2, 3])
})

test('renders at once have equal shares of the machine, and a renderer of one render all of it', async () => {
  const cwd = await makeFolder()
  const shares: MachineShare[] = []
  const target = defineTarget({
    name: 'fixture-target',
    async run({ segments }, { machine, renderSegment, join: joinAll }) {
      shares.push(machine)
      const files = []
      for (const { index } of segments) files.push(await renderSegment(index))
      return joinAll(files)
    },
  })()
  const presets = presetOf().map((preset) => ({ ...preset, targets: { here: target }, target: 'here' }))
  const renderWith = async (options: RendererOptions) => {
    const renderer = await createRenderer({ ...contextOf(cwd, presets), ...options })
    await renderer.render({ projectDir: 'intro' })
    await renderer.close()
  }
  await renderWith({})
  await renderWith({ concurrency: 4, memoryBytes: 8_000 })
  await render({ projectDir: 'intro' }, contextOf(cwd, presets))
  const whole = { cores: machineCores(), memoryBytes: machineMemory() }
  expect(shares).toEqual([whole, { cores: whole.cores / 4, memoryBytes: 2_000 }, whole])
})

test('a target that takes requests whole renders with the settings of flags, config and preset, and lint comes first', async () => {
  const lintless =
    '<div data-composition-id="a" data-width="16" data-height="16" data-duration="1"><img src="no.png"></div>'
  const config = '{ "render": { "fps": 60, "variables": { "title": "config" } } }'
  const cwd = await makeFolder({ 'intro/vid.config.json': config, 'broken/index.html': lintless })
  let received: RenderRequest | undefined
  let sent = 0
  const { presets, seen } = elsewhere({
    async render(request, { paths: [path] }) {
      sent += 1
      received = request
      await writeFile(path, 'far')
      return { artifact: { path }, frames: 30, durationMs: 500 }
    },
  })
  const { files } = await render({ projectDir: 'intro', crf: 20 }, contextOf(cwd, presets))
  expect(received).toMatchObject({
    projectDir: join(cwd, 'intro'),
    fps: 60,
    crf: 20,
    variables: { title: 'config' },
  })
  expect(await readFile(files[0]?.path ?? '', 'utf8')).toBe('far')
  const strict = render({ projectDir: 'broken', strict: true }, contextOf(cwd, presets))
  await expect(strict).rejects.toMatchObject({ code: 'VID_LINT_STRICT' })
  expect([sent, seen.opened]).toEqual([1, 0])
})

test('what such a target refuses is refused before the first of several captures is sent, and the plan is not made here', async () => {
  const cwd = await makeFolder()
  let sent = 0
  const { presets, seen } = elsewhere({
    async render() {
      sent += 1
      throw new Error('sent')
    },
    refuses: ({ format }) => (format === 'slow' ? ['slow is not made there'] : []),
  })
  // A format that cannot share the frames of the others.
  const slow = defineEncoder({
    name: 'fixture-slow',
    formats: ['slow'],
    accepts: ['rgba'],
    maxFps: 10,
    encode: () => Promise.reject(new Error('encoded here')),
  })()
  const withSlow = presets.map((preset) => ({ ...preset, encoders: [...(preset.encoders ?? []), slow] }))
  const rendering = render({ projectDir: 'intro', format: 'mp4,slow' }, contextOf(cwd, withSlow))
  await expect(rendering).rejects.toMatchObject({ code: 'VID_TARGET_REFUSES', plugin: 'fixture-farm' })
  const context = await openContext(contextOf(cwd, presets))
  const options = { plan: true, signal: new AbortController().signal }
  const inspected = await inspectRender({ projectDir: 'intro' }, context, options)
  expect(inspected).toMatchObject({ plan: null, planHash: null, plannedBy: 'fixture-farm' })
  expect([sent, seen.opened]).toEqual([0, 0])
})

test('the limit of an operator on the network refuses a caller who asks for more, and lowers configs and defaults', async () => {
  const cwd = await makeFolder({
    'vid.config.json': '{ "render": { "network": "none" } }',
    'server/vid.config.json': '{ "render": { "network": "public" } }',
  })
  const networks: string[] = []
  const { presets } = elsewhere({
    async render({ network }, { paths: [path] }) {
      networks.push(network)
      await writeFile(path, 'far')
      return { artifact: { path }, frames: 15, durationMs: 500 }
    },
  })
  const renderWith = (folder: string, settings: RenderSettings) =>
    render(
      { projectDir: join(cwd, 'intro'), output: join(cwd, 'out.mp4'), ...settings },
      { ...contextOf(join(cwd, folder), presets), configFrom: 'cwd', maxNetwork: 'declared' },
    )
  await renderWith('.', {})
  await renderWith('server', {})
  await renderWith('server', { network: 'none' })
  await renderWith('.', { network: 'declared' })
  expect(networks).toEqual(['none', 'declared', 'none', 'declared'])
  await expect(renderWith('.', { network: 'public' })).rejects.toMatchObject({
    code: 'VID_NETWORK_LIMITED',
    fault: 'caller',
    message: 'network public is not allowed here: the limit for pages is "declared".',
  })
  await rm(join(cwd, 'vid.config.json'))
  await render({ projectDir: 'intro' }, { ...contextOf(cwd, presets), maxNetwork: 'none' })
  expect(networks.at(-1)).toBe('none')
})

test('a source of the composition is not replaced by what comes from elsewhere', async () => {
  const shown = '<div data-composition-id="a" data-width="16" data-height="16"><video src="clip.mp4"></video></div>'
  const cwd = await makeFolder({ 'intro/index.html': shown, 'intro/clip.mp4': '' })
  let sent = 0
  const { presets } = elsewhere({
    async render() {
      sent += 1
      throw new Error('sent')
    },
  })
  const rendering = render({ projectDir: 'intro', output: 'intro/clip.mp4' }, contextOf(cwd, presets))
  await expect(rendering).rejects.toMatchObject({ code: 'VID_OUTPUT_SOURCE' })
  expect(sent).toBe(0)
})
