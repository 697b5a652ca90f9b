import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer as createHttpServer, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DrivenBrowser, PortableDriver, PortablePage, SessionOptions } from '@vid/browser'
import type { CaptureSession, Frame, RenderPlan } from '@vid/kernel'
import { decodePng } from '@vid/testkit'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { partOf } from '../../../scripts/dev/part-of.ts'
import { type Engine, engines } from './fixtures/engines.ts'
import { drawersOf, expectGone, membersOf } from './fixtures/processes.ts'
import { movingPage, openSession } from './fixtures/session.ts'
import { firefoxDriver } from './portable-driver.ts'

/** The folder for temporary files of this test alone: those beside it run at the same time. */
const temporary = mkdtempSync(join(tmpdir(), 'capture-test-'))
vi.stubEnv('TMPDIR', temporary)
afterAll(() => rm(temporary, { recursive: true, force: true }))

const foldersOfPlaywright = () => readdirSync(temporary).filter((name) => name.startsWith('playwright'))

/** A driver, and what it has started. */
const watch = (inner: PortableDriver) => {
  const browsers: DrivenBrowser<PortablePage>[] = []
  const profiles: string[] = []
  const driver: PortableDriver = {
    ...inner,
    async launch(options) {
      profiles.push(...options.args.flatMap((arg) => /(\/[^=]*vid-profile-.*)$/.exec(arg)?.[1] ?? []))
      const browser = await inner.launch(options)
      browsers.push(browser)
      return browser
    },
  }
  return { driver, browsers, profiles, expectGone: () => expectGone(browsers, profiles, foldersOfPlaywright) }
}

const open = (page: string, engine: Engine, overrides: Partial<SessionOptions> = {}) =>
  openSession(page, { ...engine, lane: 'screenshot', ...overrides })

const take = async (session: CaptureSession, start: number, frames: number): Promise<Frame[]> => {
  const taken: Frame[] = []
  for await (const frame of session.frames({ index: 0, start, frames }, ['png'])) taken.push(frame)
  return taken
}

/** Reads frames without end, and does something after frame 3. */
const readUntil = async (session: CaptureSession, act: () => void) => {
  for await (const { index } of session.frames({ index: 0, start: 0, frames: 3000 }, ['png'])) if (index === 3) act()
}

const richPage = `<!doctype html><meta charset="utf-8"><style>
@keyframes slide { to { transform: translateX(120px) rotate(30deg) } }
b { position: absolute; left: 10px; top: 90px; width: 50px; height: 50px; border-radius: 12px;
  background: linear-gradient(#f08, #08f); box-shadow: 0 4px 12px #0008; animation: slide 1s }
p { font: 24px sans-serif; margin: 12px }</style>
<div id="root" data-composition-id="root" data-width="320" data-height="180" data-duration="2">
<b></b><p>Frames &amp; <i>letters</i> 😀</p></div>`

test('the embedded browser gives the same pixels with and without the DevTools protocol', async () => {
  const [, engine] = engines[0] ?? []
  if (!engine) throw new Error('no engine')
  const [portable, protocol] = await Promise.all([
    open(richPage, engine),
    openSession(richPage, { lane: 'screenshot' }),
  ])
  const [one, other] = await Promise.all([take(portable.session, 0, 8), take(protocol.session, 0, 8)])
  const pixels = (frames: readonly Frame[]) =>
    frames.map(({ data }) => createHash('sha256').update(decodePng(data).data).digest('hex'))
  expect(pixels(one)).toEqual(pixels(other))
  expect(new Set(pixels(one)).size).toBe(8)
})

test('a missing capability of a browser is reported before it starts', async () => {
  const executable = { path: '/bin/false', env: {}, version: '0', kind: 'firefox', source: 'option' } as const
  const engine = { driver: firefoxDriver, executable }
  const plan = {
    width: 320,
    height: 180,
    fps: 30,
    variables: {},
    alpha: true,
    composition: { entry: 'index.html' },
  }
  await expect(open(movingPage(), engine, { plan })).rejects.toMatchObject({
    code: 'VID_BROWSER_LACKS',
    fault: 'caller',
    message: 'firefox cannot capture pictures with alpha.',
  })
  for (const lane of ['raster', 'begin-frame'] as const)
    await expect(open(movingPage(), engine, { lane })).rejects.toMatchObject({ code: 'VID_LANE_UNAVAILABLE' })
  await expect(open(movingPage(), engine)).rejects.toMatchObject({
    code: 'VID_BROWSER_LAUNCH',
    message: expect.stringMatching(/\/bin\/false/),
  })
})

test('HDR frames are refused for a browser that was not tested with them', async () => {
  const [, engine] = engines[0] ?? []
  if (!engine) throw new Error('no engine')
  const driver: PortableDriver = { ...engine.driver, lacks: ['hdr'] }
  const { session } = await open(movingPage(), { ...engine, driver })
  const plan = { hdr: { transfer: 'pq' } } as unknown as RenderPlan
  const frames = session.frames({ index: 0, start: 0, frames: 1 }, ['yuv420p10'], plan)
  await expect(frames[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'VID_BROWSER_LACKS',
    message: 'chromium cannot capture HDR pictures.',
  })
})

/** Servers on this machine that must never hear anything. */
const openCanary = async () => {
  const heard: string[] = []
  const tcp = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => heard.push(data.toString().split('\r\n')[0] ?? ''))
  })
  const udp = createSocket('udp4', () => {}).on('message', () => heard.push('a packet'))
  tcp.listen(0, '127.0.0.1')
  udp.bind(0, '127.0.0.1')
  await Promise.all([once(tcp, 'listening'), once(udp, 'listening')])
  onTestFinished(() => {
    tcp.close()
    udp.close()
  })
  return { heard, tcp: (tcp.address() as AddressInfo).port, udp: udp.address().port }
}

/** A proxy that passes on whatever is asked of it. */
const openProxy = async () => {
  const proxy = createHttpServer((incoming, answer) => {
    const onward = request(incoming.url ?? '', (reply) => reply.pipe(answer))
    onward.on('error', () => answer.destroy())
    onward.end()
  })
  proxy.on('connect', (_incoming, socket) => socket.destroy())
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  return `http://proxy.localhost:${(proxy.address() as AddressInfo).port}`
}

// A Firefox takes seconds to start, and more of them beside other work.
describe.each(engines)('%s without the DevTools protocol', { timeout: 300_000 }, (_name, engine) => {
  test('frame n of every range shows n, also after a jump back, and unchanged frames repeat', async () => {
    const { session, warnings } = await open(movingPage(), engine)
    const leftOf = ({ data }: Frame) => {
      const picture = decodePng(data)
      const row = Array.from({ length: 320 }, (_, x) => picture.data[(20 * picture.width + x) * 4])
      return row.indexOf(0)
    }
    expect((await take(session, 40, 3)).map(leftOf)).toEqual([40, 41, 42])
    expect((await take(session, 5, 2)).map(leftOf)).toEqual([5, 6])
    expect(warnings).toEqual([])
    const still = await open(richPage.replace('animation: slide 1s', ''), engine)
    expect((await take(still.session, 0, 3)).map(({ repeat = false }) => repeat)).toEqual([false, true, true])
  })

  test('a hostile page reaches neither this machine nor the network', async () => {
    const { heard, tcp, udp } = await openCanary()
    const page = movingPage(`
      const place = '127.0.0.1:${tcp}'
      for (const host of [place, 'localhost:${tcp}', '[::1]:${tcp}', 'other.localhost:${tcp}']) {
        fetch('http://' + host + '/fetch', { mode: 'no-cors' }).then(() => console.error('got', host), () => {})
        new Image().src = 'http://' + host + '/image'
        navigator.sendBeacon('http://' + host + '/beacon', 'x')
        new EventSource('http://' + host + '/events')
        const socket = new WebSocket('ws://' + host + '/socket')
        socket.onopen = () => console.error('open', host)
        for (const rel of ['prefetch', 'preload', 'preconnect', 'dns-prefetch', 'icon', 'stylesheet', 'modulepreload']) {
          const link = document.createElement('link')
          Object.assign(link, { rel, href: 'http://' + host + '/' + rel })
          document.head.append(link)
        }
        const frame = document.createElement('iframe')
        frame.src = 'http://' + host + '/frame'
        document.body.append(frame)
        const form = document.createElement('form')
        Object.assign(form, { method: 'post', action: 'http://' + host + '/form', target: 'elsewhere' })
        document.body.append(form)
        form.submit()
        window.open('http://' + host + '/popup')
      }
      const code = 'fetch("http://' + place + '/worker", { mode: "no-cors" }).catch(() => {}); new WebSocket("ws://' + place + '/worker")'
      new Worker(URL.createObjectURL(new Blob([code])))
      try {
        const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udp}' }] })
        peer.createDataChannel('out')
        peer.createOffer().then((offer) => peer.setLocalDescription(offer))
      } catch {}
      try { new WebTransport('https://127.0.0.1:${udp}/').ready.catch(() => {}) } catch {}
    `)
    const { session, warnings } = await open(page, engine)
    expect(await take(session, 0, 10)).toHaveLength(10)
    await session.close()
    expect(heard).toEqual([])
    const text = JSON.stringify(warnings)
    expect(text).toContain(`${tcp}/fetch`)
    expect(text).not.toMatch(/The page logged an error: (got|open)/)
  })

  test('dialogs, popups and downloads of a page are refused and reported, and the capture continues', async () => {
    const page = movingPage(`
      new Image().src = 'missing.png'
      alert('hello')
      window.open('https://example.com/popup')
      console.error('odd', 7)
      addEventListener('vid-seek', ({ detail }) => {
        if (detail.time === 0) return
        setTimeout(() => { throw new Error('from a timer') })
        nowhere.to.be.found()
      })`)
    const { session, warnings } = await open(page, engine)
    expect(await take(session, 0, 3)).toHaveLength(3)
    const messagesOf = (code: string) =>
      warnings.filter((warning) => warning.code === code).map(({ message }) => message)
    expect(messagesOf('VID_ASSET_FAILED')).toEqual(['missing.png: the file does not exist.'])
    expect(messagesOf('VID_DIALOG_DISMISSED')).toEqual([expect.stringContaining('hello')])
    expect(messagesOf('VID_POPUP_REFUSED')).toEqual([expect.stringContaining('example.com/popup')])
    expect(messagesOf('VID_CONSOLE_ERROR')).toEqual([expect.stringContaining('odd 7')])
    expect(messagesOf('VID_SCRIPT_ERROR')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/nowhere.*\(index\.html:\d+\)/),
        expect.stringContaining('from a timer'),
      ]),
    )
    expect(JSON.stringify(warnings)).not.toContain('.localhost')
  })

  test('WebGL is drawn, or reported as missing', async () => {
    const page = movingPage(`
      const canvas = document.createElement('canvas')
      canvas.style.cssText = 'position:absolute;left:200px;top:100px'
      document.getElementById('root').append(canvas)
      const gl = canvas.getContext('webgl2', { preserveDrawingBuffer: true })
      if (gl) { gl.clearColor(0, 1, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT) }
      document.createElement('canvas').getContext('2d').canvas.getContext('webgl')`)
    const { session, warnings } = await open(page, engine)
    const [frame] = await take(session, 0, 1)
    const picture = decodePng(frame?.data ?? new Uint8Array())
    const offset = (120 * 320 + 220) * 4
    const isDrawn = Buffer.from(picture.data.subarray(offset, offset + 3)).equals(Buffer.from([0, 255, 0]))
    expect(
      warnings.map(({ code }) => code),
      JSON.stringify(warnings),
    ).toEqual(isDrawn ? [] : ['VID_WEBGL_MISSING'])
    expect(isDrawn).toBe(engine.driver.browser === 'chromium')
  })

  test('libraries come from the installed packages, also as modules at other addresses', async () => {
    const page = `<!doctype html><meta charset="utf-8"><body style="background:#fff">
      <div id="root" data-composition-id="root" data-width="320" data-height="180" data-duration="1" data-no-timeline>
      <b style="position:absolute;left:0;width:40px;height:40px"></b><i style="position:absolute;left:60px;width:40px;height:40px"></i>
      <script src="https://cdn.jsdelivr.net/npm/gsap@3/dist/gsap.min.js"></script>
      <script>gsap.set('b', { background: '#00f' })</script>
      <script type="module">
        import gsap, { Power1 } from 'https://cdn.jsdelivr.net/npm/gsap@3/+esm'
        if (Power1) gsap.set('i', { background: '#00f' })
      </script></div>`
    const { session, warnings } = await open(page, engine)
    const [frame] = await take(session, 0, 1)
    const picture = decodePng(frame?.data ?? new Uint8Array())
    const at = (x: number) => Array.from(picture.data.subarray((20 * 320 + x) * 4, (20 * 320 + x) * 4 + 3))
    expect([at(20), at(80), at(200)]).toEqual([
      [0, 0, 255],
      [0, 0, 255],
      [255, 255, 255],
    ])
    expect(warnings).toEqual([])
  })

  test.each(
    partOf(
      [
        ['a reload', 'location.reload()', /index\.html/],
        ['another site', `location.href = 'https://example.com/away'`, /example\.com\/away/],
        ['a page of its own making', `location.href = 'about:blank'`, /about:blank/],
      ],
      2,
    ),
  )('a page that navigates away by %s is refused', async (_way, script, message) => {
    const page = movingPage(`addEventListener('vid-seek', ({ detail }) => { if (detail.time > 0.05) ${script} })`)
    const { session } = await open(page, engine)
    await expect(take(session, 0, 500)).rejects.toMatchObject({
      code: 'VID_PAGE_NAVIGATED',
      message: expect.stringMatching(message),
    })
  })

  test('an endless loop is distinguished from a promise that never settles', async () => {
    const loop = movingPage(`addEventListener('vid-seek', ({ detail }) => { while (detail.time > 0.05) {} })`)
    const promise = movingPage(`addEventListener('vid-seek', ({ detail }) => {
      if (detail.time > 0.05) detail.waitUntil(new Promise(() => {})) })`)
    for (const [page, code] of [
      [promise, 'VID_PAGE_STUCK'],
      [loop, 'VID_PAGE_UNRESPONSIVE'],
    ] as const) {
      const { session } = await open(page, engine, { livenessMs: 2_000 })
      await expect(take(session, 0, 5)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(/frame 2/),
      })
      await session.close()
    }
  })

  test('a page that does not open in time is reported', async () => {
    const waiting: PortableDriver = {
      ...engine.driver,
      async launch(options) {
        const browser = await engine.driver.launch(options)
        let pages = 0
        const newPage = async () => {
          const page = await browser.newPage()
          // The first page is that of the proof.
          if (++pages === 1) return page
          return { ...page, portable: { ...page.portable, open: () => new Promise<void>(() => undefined) } }
        }
        return { ...browser, newPage }
      },
    }
    const opening = open(movingPage(), { ...engine, driver: waiting }, { livenessMs: 500 })
    const late = async () => (await opening).session.probe()
    await expect(late()).rejects.toMatchObject({
      code: 'VID_PAGE_UNRESPONSIVE',
      message: expect.stringMatching(/opening/),
    })
  })

  test('a browser that is killed while it captures is reported with its signal, and leaves no process and no file', async () => {
    const watched = watch(engine.driver)
    const { session } = await open(movingPage(), { ...engine, driver: watched.driver })
    const pid = () => watched.browsers[0]?.pid ?? 0
    const reading = readUntil(session, () => {
      expect(membersOf(pid()).length).toBeGreaterThan(1)
      process.kill(pid(), 'SIGKILL')
    })
    await expect(reading).rejects.toMatchObject({
      code: 'VID_BROWSER_CRASHED',
      message: expect.stringMatching(/SIGKILL/),
    })
    await session.close()
    await watched.expectGone()
  })

  test('a page whose process ends is reported, and leaves no process and no file', async () => {
    const watched = watch(engine.driver)
    const { session } = await open(movingPage(), { ...engine, driver: watched.driver })
    const reading = readUntil(session, () => {
      const drawers = drawersOf(watched.browsers[0]?.pid ?? 0)
      expect(drawers).not.toEqual([])
      for (const drawer of drawers) process.kill(drawer, 'SIGKILL')
    })
    // A Firefox that Playwright has started ends with its page.
    await expect(reading).rejects.toMatchObject({
      code: expect.stringMatching(/^VID_(PAGE|BROWSER)_CRASHED$/),
    })
    await session.close()
    await watched.expectGone()
  })

  test.each(['open', 'navigate'] as const)(
    'a page whose process ends as it begins to %s has crashed, which is no fault of its file',
    async (step) => {
      const killing: PortableDriver = {
        ...engine.driver,
        async launch(options) {
          const browser = await engine.driver.launch(options)
          let pages = 0
          const newPage = async () => {
            const page = await browser.newPage()
            // The first page is that of the proof.
            if (++pages === 1) return page
            const strike = async (work: Promise<void>) => {
              const drawers = () => drawersOf(browser.pid)
              await expect.poll(drawers, { interval: 1 }).not.toEqual([])
              for (const drawer of drawers()) process.kill(drawer, 'SIGKILL')
              return work
            }
            const { portable } = page
            const changed: PortablePage['portable'] = {
              ...portable,
              open: (how) => (step === 'open' ? strike(portable.open(how)) : portable.open(how)),
              navigate: async (url) => {
                if (step === 'navigate') await strike(Promise.resolve())
                return portable.navigate(url)
              },
            }
            return { ...page, portable: changed }
          }
          return { ...browser, newPage }
        },
      }
      const opening = open(movingPage(), { ...engine, driver: killing }, { livenessMs: 600_000 })
      const failed = async () => (await opening).session.probe()
      // The browser may end with its only page.
      await expect(failed()).rejects.toMatchObject({
        code: expect.stringMatching(/^VID_(PAGE|BROWSER)_CRASHED$/),
        fault: 'machine',
      })
    },
  )

  test('an abort while frames are read stops them and closes everything', async () => {
    const watched = watch(engine.driver)
    const stop = new AbortController()
    const { session } = await open(movingPage(), { ...engine, driver: watched.driver }, { signal: stop.signal })
    const reading = readUntil(session, () => stop.abort(new Error('enough')))
    await expect(reading).rejects.toMatchObject({ code: 'VID_CAPTURE_ABORTED' })
    await session.close()
    await watched.expectGone()
  })

  test('a browser whose pages bypass the egress proxy is refused', async () => {
    const proxy = await openProxy()
    const leaky: PortableDriver = {
      ...engine.driver,
      async launch(options) {
        const browser = await engine.driver.launch(options)
        const newPage = async () => {
          const page = await browser.newPage()
          const opening: PortablePage['portable']['open'] = (how) => page.portable.open({ ...how, proxy })
          return { ...page, portable: { ...page.portable, open: opening } }
        }
        return { ...browser, newPage }
      },
    }
    const watched = watch(leaky)
    await expect(open(movingPage(), { ...engine, driver: watched.driver })).rejects.toMatchObject({
      code: 'VID_BROWSER_UNGUARDED',
      // A Chromium resolves no name but that of its own proxy, and so does not reach this one either.
      message: expect.stringMatching(/a connection to this machine|none of the attempts reached the proxy/),
    })
    await watched.expectGone()
  })
})
