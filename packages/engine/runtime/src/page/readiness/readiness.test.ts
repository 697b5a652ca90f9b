import type { PageHost } from '@vid/runtime'
import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { LOADING_MS, seenAt } from '../clock/origin.ts'

declare const __vidHost: PageHost

const { load, ready, start } = useBrowser()

describe('readiness', () => {
  it('names what the page waits for', async () => {
    const page = await load(
      composition(`<script>__vid.waitUntil(new Promise((done) => { window.go = done }))</script>`),
    )
    const { ready: isReady, pending } = await page.evaluate(() => __vidHost.readiness())
    expect(isReady).toBe(false)
    expect(pending).toEqual([{ reason: 'promise', detail: '__vid.waitUntil' }])
    await page.evaluate('go()')
    expect((await ready(page)).ready).toBe(true)
  })

  it('reports why a promise that the page registered was rejected', async () => {
    const { read, seek } = await start(
      composition(`<script>__vid.waitUntil(Promise.reject(new Error('early')))
        addEventListener('vid-seek', ({ detail }) => detail.waitUntil(Promise.reject('late')))</script>`),
    )
    await seek(1)
    expect(await read('__vidHost.errors().map(({ message }) => message)')).toEqual(['early', 'late'])
  })

  it.each([
    ['a synchronous request that fails', `x.open('GET', 'http://127.0.0.1:1/', false); x.send()`],
    ['a request that is sent twice', `x.open('GET', 'data:,a'); x.send(); x.send()`],
    ['a request that is opened again', `x.open('GET', 'http://192.0.2.1/'); x.send(); x.open('GET', 'data:,b')`],
    ['a request that is aborted', `x.open('GET', 'http://192.0.2.1/'); x.send(); x.abort()`],
  ])('does not wait for %s', async (_, script) => {
    const page = await load(composition(`<script>const x = new XMLHttpRequest(); ${script}</script>`))
    expect((await ready(page)).ready).toBe(true)
  })

  it('says of a page of HyperFrames that it was not imported, and once', async () => {
    const { read } = await start(
      composition(`<script>const v = window.__hyperframes && window.__hyperframes.getVariables()</script>`),
    )
    expect(await read('__vidHost.errors()')).toEqual([
      { message: expect.stringContaining('vid import hyperframes'), isNote: true },
    ])
  })

  it('lets a page define what HyperFrames would, without a word', async () => {
    const { read } = await start(
      composition(`<script>window.__hyperframes = { n: 1 }; window.seen = window.__hyperframes.n</script>`),
    )
    expect(await read('[seen, __vidHost.errors().length]')).toEqual([1, 0])
  })

  it('refuses a page that requires WebGPU where there is none', async () => {
    const { read } = await start(composition('<canvas data-requires-webgpu></canvas>'))
    expect(await read('__vidHost.errors()')).toEqual([
      { message: expect.stringContaining('this browser has no WebGPU'), isThrown: true },
    ])
  })

  it('names a page without a root', async () => {
    const page = await load('<p>no composition</p>')
    const { pending } = await page.evaluate(() => __vidHost.readiness())
    expect(pending).toEqual([{ reason: 'root', detail: expect.any(String) }])
  })

  it('runs the timers and frames in which a page builds itself, and starts it at the beginning of the clock', async () => {
    const { read, seek } = await start(`<body><script>window.seen = []
      setTimeout(() => requestAnimationFrame(() => { seen.push(performance.now())
        document.body.innerHTML = '<div id="root" data-composition-id="main"></div>' }), 30)</script></body>`)
    expect(await read('seen')).toEqual([LOADING_MS])
    await seek(3)
    expect(await read('performance.now()')).toBe(seenAt(100))
  })

  it('runs the timers that build the timeline of a page without another length', async () => {
    const { probe } = await start(
      composition(`<script>setTimeout(() => { __timelines.main = { duration: 4, seek() {} } }, 120)</script>`, {
        root: '',
      }),
    )
    expect(probe).toMatchObject({ duration: 4, stateful: false })
  })

  it('runs the timers with which a page polls for a promise', async () => {
    const { read } = await start(
      composition(`<script>window.ticks = 0; const poll = setInterval(() => { if (++ticks === 3) { clearInterval(poll); go() } }, 20)
        __vid.waitUntil(new Promise((done) => { window.go = done }))</script>`),
    )
    expect(await read('[ticks, performance.now()]')).toEqual([3, LOADING_MS])
  })

  it('runs zero timers and follows requests before it is ready', async () => {
    const { probe } = await start(
      composition(`<script>setTimeout(() => fetch('/data.json').then((answer) => answer.json())
        .then(({ length }) => { __timelines.main = { duration: length, seek() {} } }), 0)</script>`),
      {},
      { '/data.json': '{"length":3}' },
    )
    expect(probe).toMatchObject({ duration: 3, stateful: false, timelines: ['main'] })
  })

  it('waits for an image that a frame brings', async () => {
    const { seek, read } = await start(
      composition(`<script>addEventListener('vid-seek', ({ detail }) => { if (detail.frame === 4)
        root.innerHTML = '<img id="late" src="/late.svg">' })</script>`),
      {},
      {},
    )
    await seek(4)
    expect(await read('late.complete')).toBe(true)
  })
})

describe('variables', () => {
  it('are there for the first script in the head, and cannot be changed', async () => {
    const { read } = await start(
      composition('', {
        head: '<script>window.seen = __vid.getVariables(); try { seen.list.push(1) } catch {}</script>',
      }),
      { variables: { title: 'Hello', list: [1, 2] } },
    )
    expect(await read('seen')).toEqual({ title: 'Hello', list: [1, 2] })
    expect(
      await read('Object.isFrozen(__vid.getVariables()) && __vid.getVariables() === window.__vid.getVariables()'),
    ).toBe(true)
  })

  it('fill text, sources and CSS properties', async () => {
    const { read } = await start(
      composition(
        `<b id="text" data-var-text="title"></b><img id="image" data-var-src="photo"><i id="tint" style="color:var(--accent)"></i>`,
      ),
      { variables: { title: '<Hello>', photo: '/p.svg', accent: '#ff0000', size: 3, nested: {} } },
    )
    expect(
      await read(`[text.textContent, image.getAttribute('src'), getComputedStyle(tint).color,
      root.style.getPropertyValue('--size')]`),
    ).toEqual(['<Hello>', '/p.svg', 'rgb(255, 0, 0)', '3'])
  })
})

it('a script with an empty address is no problem of loading', async () => {
  const { probe } = await start(composition('<script src=""></script>'))
  expect(probe.errors).toEqual([])
})
