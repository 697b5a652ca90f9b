import { existsSync } from 'node:fs'
import { createPool } from '@vid/kernel'
import { afterAll, expect, test } from 'vitest'
import { longTest, partOf } from '../../../../../scripts/dev/part-of.ts'
import { killingDriver } from '../fixtures/renderers.ts'
import {
  changePort,
  frameNumberPage,
  isAlive,
  openSession,
  pageOf,
  stallingDriver,
  take,
  watchDriver,
} from '../fixtures/session.ts'

/** Expects that the launched browsers have left no process and no file. */
const expectGone = ({ pids, profiles }: ReturnType<typeof watchDriver>) => {
  expect(pids.length).toBeGreaterThan(0)
  expect(pids.filter(isAlive)).toEqual([])
  expect(profiles.filter(existsSync)).toEqual([])
}

test('a browser that is killed while it captures is reported at once, and leaves no process and no file', async () => {
  const watch = watchDriver()
  // A page that does not answer would be waited for longer than this test may take.
  const { session } = await openSession(frameNumberPage(), { driver: watch.driver, lane: 'auto', livenessMs: 600_000 })
  const read = async () => {
    for await (const frame of session.frames({ index: 0, start: 0, frames: 1000 }, ['rgba'])) {
      if (frame.index !== 5) continue
      process.kill(watch.pids[0] ?? Number.NaN, 'SIGKILL')
    }
  }
  await expect(read()).rejects.toMatchObject({
    code: 'VID_BROWSER_CRASHED',
    message: expect.stringMatching(/SIGKILL/),
  })
  await session.close()
  expectGone(watch)
})

test.each(
  partOf(['Inspector.enable', 'Page.addScriptToEvaluateOnNewDocument', 'Page.navigate', 'Runtime.evaluate'], 2),
)('a page whose process is killed while it is opened has crashed, and does not hang (%s)', async (method) => {
  // Longer than the test may take.
  const session = openSession(frameNumberPage(), { driver: killingDriver(method), livenessMs: 600_000 })
  await expect(session).rejects.toMatchObject({ code: 'VID_PAGE_CRASHED', fault: 'machine' })
})

test.each([
  ['as soon as it is open', undefined],
  ['at its first call', 'Page.getFrameTree'],
])('a page whose process is killed %s has crashed, or its browser has, and does not hang', async (_name, method) => {
  // Longer than the test may take.
  const session = openSession(frameNumberPage(), { driver: killingDriver(method), livenessMs: 600_000 })
  // Chromium itself ends with SIGSEGV at times when a process that has only begun to serve a page is killed.
  const code = expect.stringMatching(/^VID_(?:PAGE|BROWSER)_CRASHED$/)
  await expect(session).rejects.toMatchObject({ code, fault: 'machine' })
})

test('an abort while frames are read stops them and closes everything', async () => {
  const watch = watchDriver()
  const stop = new AbortController()
  const { session } = await openSession(frameNumberPage(), {
    driver: watch.driver,
    lane: 'auto',
    signal: stop.signal,
  })
  const read = async () => {
    for await (const frame of session.frames({ index: 0, start: 0, frames: 1000 }, ['rgba']))
      if (frame.index === 5) stop.abort(new Error('enough'))
  }
  await expect(read()).rejects.toMatchObject({
    code: 'VID_CAPTURE_ABORTED',
    message: expect.stringMatching(/enough/),
  })
  await session.close()
  expectGone(watch)
})

test('a frame requested after an abort rejects with the reason, also when it was already drawn', async () => {
  const stop = new AbortController()
  let tellDrawn = () => {}
  const firstFrame = new Promise<void>((resolve) => {
    tellDrawn = resolve
  })
  const driver = changePort(({ send, on }) => ({
    on,
    async send(method, params) {
      const answer = await send(method, params)
      if (String(params?.expression).includes('raster.next(2,')) tellDrawn()
      return answer
    },
  }))
  const { session } = await openSession(frameNumberPage(), { driver, signal: stop.signal })
  const read = async () => {
    for await (const _ of session.frames({ index: 0, start: 0, frames: 10 }, ['rgba'])) {
      await firstFrame
      stop.abort(new Error('enough'))
      await session.close()
    }
  }
  await expect(read()).rejects.toMatchObject({
    code: 'VID_CAPTURE_ABORTED',
    message: expect.stringMatching(/enough/),
  })
})

test('slow frames are not reported as a stall, however many are requested at once', async () => {
  let last: Promise<unknown> = Promise.resolve()
  const driver = changePort(({ send, on }) => ({
    on,
    async send(method, params) {
      const answer = send(method, params)
      if (!String(params?.expression).includes('raster.next(')) return answer
      last = Promise.all([last, answer]).then(() => new Promise((resolve) => setTimeout(resolve, 1_000)))
      await last
      return answer
    },
  }))
  const { session } = await openSession(frameNumberPage(), { driver, livenessMs: 5_000 })
  let count = 0
  for await (const _ of session.frames({ index: 0, start: 0, frames: 8 }, ['rgba'])) count += 1
  expect(count).toBe(8)
  await session.close()
})

test('an abort while the page loads closes everything', async () => {
  const watch = watchDriver(stallingDriver('never.png'))
  const stop = new AbortController()
  const driver: typeof watch.driver = {
    async launch(options) {
      const browser = await watch.driver.launch(options)
      stop.abort()
      return browser
    },
  }
  const session = openSession(pageOf('<img src="never.png">'), { driver, signal: stop.signal })
  await expect(session).rejects.toMatchObject({ code: 'VID_CAPTURE_ABORTED' })
  expectGone(watch)
})

test('a session that fails to open leaves no process and no file', async () => {
  const watch = watchDriver()
  const session = openSession('<p>no root</p>', { driver: watch.driver, readiness: { root: 200 } })
  await expect(session).rejects.toMatchObject({ code: 'VID_ROOT_MISSING' })
  expectGone(watch)
})

const stalling = stallingDriver('never.png', 'never.js', 'never.ttf', 'never.json')
/** The browsers of that driver. */
const stallingBrowsers = createPool()
afterAll(() => stallingBrowsers.close())

test.each([
  ['an image that never arrives', 'images', pageOf('<img src="never.png">'), 'VID_IMAGE_NOT_LOADED', /never\.png/],
  [
    'a script that never arrives',
    'document',
    pageOf('<script src="never.js"></script>'),
    'VID_NOT_LOADED',
    /interactive|loading/,
  ],
  [
    'a font that never arrives',
    'fonts',
    pageOf('<p>text</p>', '@font-face { font-family: Slow; src: url(never.ttf) } p { font-family: Slow }'),
    'VID_FONT_NOT_LOADED',
    /Slow/,
  ],
  [
    'a promise that never settles',
    'promise',
    pageOf('<script>__vid.waitUntil(new Promise(() => {}))</script>'),
    'VID_PROMISE_PENDING',
    /__vid\.waitUntil/,
  ],
  [
    'a request that is never answered',
    'promise',
    pageOf(`<script>fetch('never.json')</script>`),
    'VID_PROMISE_PENDING',
    /fetch never\.json/,
  ],
])('%s is named', async (_name, limit, page, code, message) => {
  // No other may be first, however long all takes.
  const readiness = { document: 600_000, images: 600_000, fonts: 600_000, promise: 600_000, [limit]: 300 }
  const session = openSession(page, { driver: stalling, shared: stallingBrowsers, readiness })
  await expect(session).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
})

test.each([
  ['in its file', '<script>\n\nfor (;;) {}</script>', /index\.html:\d+/],
  [
    'in a frame',
    `<script>addEventListener('vid-seek', ({ detail }) => { while (detail.time > 0.05) {} })</script>`,
    /frame 2.*index\.html:\d+/,
  ],
])('a loop without end %s is named with its line', async (_name, script, message) => {
  const work = async () => take((await openSession(pageOf(script), { livenessMs: 1_000 })).session, 0, 5)
  await expect(work()).rejects.toMatchObject({
    code: 'VID_PAGE_UNRESPONSIVE',
    message: expect.stringMatching(message),
  })
})

longTest('work of the browser is not taken for a script that does not return', async () => {
  const nested = Array.from({ length: 40_000 }, (_, index) => `<i style="color:hsl(${index} 50% 50%)"></i>`).join('')
  const page = pageOf(`<style>@keyframes o{to{opacity:0}}i{animation:o 9s}</style>${nested}`)
  const work = async () => take((await openSession(page, { livenessMs: 1_000 })).session, 0, 2)
  await expect(work()).rejects.toMatchObject({
    code: 'VID_PAGE_UNRESPONSIVE',
    message: expect.stringMatching(/no script of its files runs/),
  })
})

test('a promise that never settles is distinguished from an endless loop, with its frame', async () => {
  const page = pageOf(`<script>addEventListener('vid-seek', ({ detail }) => {
    if (detail.time > 0.05) detail.waitUntil(new Promise(() => {}))
  })</script>`)
  const { session } = await openSession(page, { livenessMs: 1_000 })
  await expect(take(session, 0, 5)).rejects.toMatchObject({
    code: 'VID_PAGE_STUCK',
    message: expect.stringMatching(/frame 2/),
  })
})

/** A page whose WebGL takes long for each frame: `work` steps for each of the pixels of a canvas. */
const heavyShader = (work: number) =>
  pageOf(`<canvas id="c" width="320" height="180" style="translate:0"></canvas><script>
    const gl = c.getContext('webgl2')
    const program = gl.createProgram()
    const add = (type, text) => {
      const shader = gl.createShader(type)
      gl.shaderSource(shader, '#version 300 es\\nprecision highp float;' + text)
      gl.compileShader(shader)
      gl.attachShader(program, shader)
    }
    add(gl.VERTEX_SHADER, 'void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4. - 1., 0, 1); }')
    add(gl.FRAGMENT_SHADER, \`uniform float t; out vec4 color; void main() {
      float x = gl_FragCoord.x + t;
      for (int i = 0; i < ${work}; i++) x = sin(x * 1.01 + 1.);
      color = vec4(x, t, 1. - x, 1); }\`)
    gl.linkProgram(program)
    gl.useProgram(program)
    addEventListener('vid-seek', ({ detail }) => {
      gl.uniform1f(gl.getUniformLocation(program, 't'), detail.time)
      gl.drawArrays(gl.TRIANGLES, 0, 3)
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4))
    })
    </script>`)

test('a page that draws longer than its time limit is waited for, with a warning', async () => {
  // Whether the page draws is measured for a second, within which a fast machine must not finish.
  const { session, warnings } = await openSession(heavyShader(30_000), {
    livenessMs: 300,
    lane: 'screenshot',
  })
  expect(await take(session, 0, 1)).toHaveLength(1)
  expect(warnings).toContainEqual(
    expect.objectContaining({
      code: 'VID_DRAWING_SLOW',
      message: expect.stringMatching(/not stuck/),
    }),
  )
})

test('a frame that the browser never draws is distinguished from a page that is stuck', async () => {
  const driver = changePort(({ send, ...port }) => ({
    ...port,
    send: (method, params) => (params && 'screenshot' in params ? new Promise(() => undefined) : send(method, params)),
  }))
  const { session } = await openSession(frameNumberPage(), { driver, lane: 'begin-frame', livenessMs: 500 })
  await expect(take(session, 3, 5)).rejects.toMatchObject({
    code: 'VID_FRAME_NOT_DRAWN',
    message: expect.stringMatching(/frame 3/),
  })
})

test.each(
  partOf(
    [
      ['a link', `location.href = 'other.html'`, /other\.html/],
      ['a reload', 'location.reload()', /index\.html/],
      ['another site', `location.href = 'https://example.com/away'`, /example\.com\/away/],
      ['a page of its own making', `location.href = 'about:blank'`, /about:blank/],
    ],
    2,
  ),
)('a page that navigates away by %s is refused', async (_name, script, message) => {
  const page = pageOf(
    `<script>addEventListener('vid-seek', ({ detail }) => { if (detail.time > 0.05) ${script} })</script>`,
  )
  const { session } = await openSession({ 'index.html': page, 'other.html': pageOf('other') })
  await expect(take(session, 0, 500)).rejects.toMatchObject({
    code: 'VID_PAGE_NAVIGATED',
    message: expect.stringMatching(message),
  })
})

test('an entry that does not exist is named before a browser starts', async () => {
  const watch = watchDriver()
  const session = openSession({ 'other.html': '' }, { driver: watch.driver })
  await expect(session).rejects.toMatchObject({
    code: 'VID_ENTRY_MISSING',
    fault: 'caller',
    message: expect.stringMatching(/index\.html/),
  })
  expect(watch.pids).toEqual([])
})

test('a program that is not a browser is reported with its output', async () => {
  const executable = {
    path: '/bin/false',
    env: {},
    version: '0',
    kind: 'headless-shell',
    source: 'option',
  } as const
  await expect(openSession(pageOf(''), { executable })).rejects.toMatchObject({
    code: 'VID_BROWSER_LAUNCH',
    message: expect.stringMatching(/\/bin\/false/),
  })
})

test('a lane that the browser does not support is refused', async () => {
  const executable = {
    path: '/bin/false',
    env: {},
    version: '140.0',
    kind: 'chrome',
    source: 'option',
  } as const
  const session = openSession(pageOf(''), { executable, lane: 'begin-frame' })
  await expect(session).rejects.toMatchObject({ code: 'VID_LANE_UNAVAILABLE', fault: 'caller' })
})

test('dialogs, popups and downloads of a page are refused and reported once, and the capture continues', async () => {
  const page =
    pageOf(`<img src="https://cdn.example.com/logo.png"><img src="missing.png"><a download="x.txt" href="data:,x"></a>
    <script>
      fetch('http://127.0.0.1:9/secret').catch(() => {})
      alert('hello')
      window.open('https://example.com/popup')
      console.error('odd', 7)
      debugger
      addEventListener('vid-seek', ({ detail }) => {
        if (detail.time === 0) return
        setTimeout(() => { throw new Error('from a timer') })
        nowhere.to.be.found()
      })
      Promise.reject(new Error('rejected'))
    </script>`)
  const { session, warnings } = await openSession(page)
  expect(await take(session, 0, 3)).toHaveLength(3)
  const messagesOf = (code: string) => warnings.filter((warning) => warning.code === code).map(({ message }) => message)
  expect(messagesOf('VID_REMOTE_FAILED')).toEqual(
    expect.arrayContaining([
      expect.stringContaining('cdn.example.com/logo.png'),
      expect.stringContaining('127.0.0.1:9/secret'),
    ]),
  )
  expect(messagesOf('VID_ASSET_FAILED')).toEqual(['missing.png: the file does not exist.'])
  expect(messagesOf('VID_DIALOG_DISMISSED')).toEqual([expect.stringContaining('hello')])
  expect(messagesOf('VID_POPUP_REFUSED')).toEqual([expect.stringContaining('example.com/popup')])
  expect(messagesOf('VID_CONSOLE_ERROR')).toEqual([expect.stringContaining('odd 7')])
  expect(messagesOf('VID_SCRIPT_ERROR')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/nowhere.*\(index\.html:\d+\)/),
      expect.stringContaining('from a timer'),
      expect.stringContaining('rejected'),
    ]),
  )
  expect(JSON.stringify(warnings)).not.toContain('.localhost')
})

test('a script that throws before the first frame fails the capture, with what it threw and where', async () => {
  const page = pageOf(`<script>\nnowhere.to.be.found()</script><script>throw new Error('second')</script>`)
  await expect(openSession(page)).rejects.toMatchObject({
    code: 'VID_SCRIPT_FAILED',
    message: expect.stringMatching(/nowhere is not defined \(index\.html:\d+\) \| .*second/),
  })
})

test('a loop of a ResizeObserver is nothing that a script threw', async () => {
  const page = pageOf(`<div id="box" style="width:10px"></div><script>
    let width = 10
    new ResizeObserver(() => { box.style.width = (width += 1) + 'px' }).observe(box)
  </script>`)
  const { session } = await openSession(page)
  expect(await take(session, 0, 2)).toHaveLength(2)
})

test('a script or style sheet that does not load is warned of once, also when its own request did not fail', async () => {
  const page = pageOf(`<script src="gone.js"></script><script src="gone.js?again#part"></script>
    <link rel="stylesheet" href="gone.css"><link rel="stylesheet" href="fonts.css">
    <link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=No+Such+Family">
    <script src="https://127.0.0.1:9/x.js"></script>
    <script type="module" src="nested.js"></script>
    <script type="module" src="notes.txt"></script>`)
  const files = {
    'index.html': page,
    'nested.js': `import './deep.js'`,
    'notes.txt': 'no script',
    'fonts.css': `@import "lost.css";`,
  }
  const { session, warnings } = await openSession(files)
  expect(await take(session, 0, 1)).toHaveLength(1)
  const codesOf = (name: string) => warnings.filter(({ message }) => message.includes(name)).map(({ code }) => code)
  expect(codesOf('gone.js:')).toEqual(['VID_ASSET_FAILED'])
  expect(codesOf('gone.js?')).toEqual(['VID_ASSET_FAILED'])
  expect(codesOf('gone.css')).toEqual(['VID_ASSET_FAILED'])
  expect(codesOf('fonts.css')).toEqual(['VID_ASSET_FAILED'])
  expect(codesOf('fonts.googleapis.com')).toEqual(['VID_REMOTE_FAILED'])
  expect(codesOf('127.0.0.1:9')).toEqual(['VID_REMOTE_FAILED'])
  expect(codesOf('deep.js')).toEqual(['VID_ASSET_FAILED'])
  // Nothing else reports these two.
  expect(codesOf('nested.js')).toEqual(['VID_SCRIPT_ERROR'])
  expect(codesOf('notes.txt')).toEqual(['VID_SCRIPT_ERROR'])
})

test('libraries at known addresses are served from the installed packages', async () => {
  const page = pageOf(`<b style="position:absolute;width:9px;height:9px"></b>
    <script src="https://cdn.jsdelivr.net/npm/gsap@3/dist/gsap.min.js"></script>
    <script>gsap.set('b', { background: '#0f0' })</script>`)
  const { session, warnings } = await openSession(page)
  expect(await take(session, 0, 1)).toHaveLength(1)
  expect(warnings).toEqual([])
})
