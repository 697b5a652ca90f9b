import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RenderEvent } from '@vid/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { browserEnded, makeFolder, painter, presetOf, sleeper } from './fixtures/project.ts'
import { type ContextOptions, createRenderer, type RenderSettings, render } from './index.ts'

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
  expect(warnings[0]?.message).toBe('gifLoop changes nothing in mp4')
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
  const found: string[] = []
  const onFindings = (findings: readonly { code: string }[]) =>
    found.push(...findings.map(({ code }) => code))
  await render({ projectDir: 'broken' }, { ...contextOf(cwd), onFindings })
  expect(found).toContain('lint/missing-asset')
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
  const own = await render({ projectDir: 'intro' }, contextOf(cwd))
  expect(own.results[0]?.frames).toBe(30)
  const server = await render({ projectDir: 'intro' }, { ...contextOf(cwd), configFrom: 'cwd' })
  expect(server.results[0]?.frames).toBe(15)
})

test('renders of one renderer capture one after another, and each is cancelled by its own signal', async () => {
  const cwd = await makeFolder()
  const { capture, seen } = sleeper()
  const renderer = await createRenderer(contextOf(cwd, presetOf(capture)))
  const [first, second] = [new AbortController(), new AbortController()]
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

test.each([0, -1, 1.5, Number.NaN, 100])(
  'a renderer for %d captures at once is refused',
  async (concurrency) => {
    await expect(createRenderer({ concurrency })).rejects.toMatchObject({ code: 'VID_REQUEST_INVALID' })
  },
)

test('a browser that dies once costs a second try: one end, and the warning is in the result', async () => {
  const cwd = await makeFolder()
  let opened = 0
  const capture = {
    ...painter(),
    open: async (...given: Parameters<ReturnType<typeof painter>['open']>) => {
      opened += 1
      // As often as the page is opened before the render gives up.
      if (opened <= 3) throw browserEnded()
      return painter().open(...given)
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
