import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { bothWays } from '../../testing/ways.ts'

const { start } = useBrowser()

const gsapPage = (script: string, body = '<div id="box" style="width:10px;height:10px"></div>') =>
  composition(
    `${body}<script>const tl = gsap.timeline({ paused: true }); __timelines.main = tl;
    window.x = () => Number(gsap.getProperty('#box', 'x')); ${script}</script>`,
    { gsap: true },
  )

describe('registered timelines', () => {
  it('seeks a GSAP timeline with yoyo and repeats', async () => {
    const html = gsapPage(`tl.to('#box', { x: 100, duration: 1, ease: 'none', yoyo: true, repeat: 3 })`)
    const { stepped, direct, probe } = await bothWays<number>(start, html, 45, 'x()')
    expect(stepped).toBeCloseTo(50, 3)
    expect(direct).toBeCloseTo(50, 3)
    expect(probe).toMatchObject({ duration: 4, stateful: false, because: [], timelines: ['main'] })
  })

  it('calls each callback once, in order, also after a direct seek', async () => {
    const html = gsapPage(`window.log = []; tl.call(() => log.push('start'), [], 0)
      .to('#box', { x: 100, duration: 4, onStart: () => log.push('tween'), onComplete: () => log.push('done') }, 0)
      .call(() => log.push('two'), [], 2).call(() => log.push('one'), [], 1).call(() => log.push('late'), [], 3.4)`)
    const { stepped, direct, probe } = await bothWays(start, html, 100, 'log')
    expect(stepped).toEqual(['start', 'tween', 'one', 'two'])
    expect(direct).toEqual(stepped)
    expect(probe.because).toEqual(['timeline callbacks'])
  })

  it('calls an update callback once for each frame', async () => {
    const html = gsapPage(`window.n = 0; tl.to('#box', { x: 100, duration: 4, onUpdate: () => n++ })`)
    const { stepped, direct } = await bothWays(start, html, 10, 'n')
    expect(stepped).toBe(11)
    expect(direct).toBe(11)
  })

  it('shows from-tweens and sets without length in frame 0', async () => {
    const html = gsapPage(`tl.from('#box', { x: 80, duration: 1, ease: 'none' }, 0).set('#box', { opacity: 0.25 }, 0)`)
    const { seek, read, probe } = await start(html)
    await seek(0)
    expect(await read(`[x(), getComputedStyle(box).opacity]`)).toEqual([80, '0.25'])
    await seek(15)
    expect(await read('x()')).toBeCloseTo(40, 3)
    expect(probe.stateful).toBe(false)
  })

  it('takes over a timeline that plays by itself', async () => {
    const html = composition(
      `<div id="box"></div><script>__timelines.main = gsap.timeline().to('#box', { x: 90, duration: 3, ease: 'none' })</script>`,
      { gsap: true },
    )
    const { stepped, direct, probe } = await bothWays(start, html, 30, `gsap.getProperty('#box', 'x')`)
    expect(stepped).toBeCloseTo(30, 3)
    expect(direct).toBeCloseTo(30, 3)
    expect(probe.stateful).toBe(false)
  })

  it('runs GSAP tweens outside a timeline on the clock', async () => {
    const html = composition(
      `<div id="box"></div><script>gsap.to('#box', { x: 100, duration: 2, ease: 'none' })</script>`,
      { gsap: true },
    )
    const { stepped, direct, probe } = await bothWays(start, html, 30, `gsap.getProperty('#box', 'x')`)
    expect(stepped).toBeCloseTo(50, 3)
    expect(direct).toBe(stepped)
    expect(probe.because).toContain('GSAP animations outside a registered timeline')
  })

  it('runs a canvas loop after the timeline has set its values for the same frame', async () => {
    const html = gsapPage(`tl.to('#box', { x: 300, duration: 1, ease: 'none' });
      (function draw() { window.drawn = x(); requestAnimationFrame(draw) })()`)
    const { stepped, direct } = await bothWays(start, html, 10, 'drawn')
    expect(stepped).toBeCloseTo(100, 3)
    expect(direct).toBeCloseTo(100, 3)
  })

  it('seeks any object with duration and seek, in lists and under any key', async () => {
    const html = composition(`<script>window.seen = {}
      const make = (name, length) => ({ duration: () => length, seek: (t) => { seen[name] = t } })
      __timelines.other = [make('a', 2), make('b', 0.5)]</script>`)
    const { stepped, direct, probe } = await bothWays(start, html, 30, 'seen')
    expect(stepped).toEqual({ a: 1, b: 0.5 })
    expect(direct).toEqual(stepped)
    expect(probe).toMatchObject({ duration: 2, stateful: false, timelines: ['other'] })
  })

  it('seeks a nested timeline in its local time and keeps its end', async () => {
    const html =
      composition(`<div data-composition-id="inner" data-start="1" data-duration="2"></div><script>window.seen = []
      __timelines = { inner: { duration: () => 1, seek: (t) => seen.push(t) } }</script>`)
    const { seek, read } = await start(html, { fps: 2 })
    for (const frame of [0, 1, 2, 3, 5]) await seek(frame)
    expect(await read('seen')).toEqual([0, 0.5, 1])
  })

  it('reports when only endless timelines have a length', async () => {
    const { probe } = await start(gsapPage(`tl.to('#box', { x: 1, duration: 1, repeat: -1 })`))
    expect(probe).toMatchObject({ duration: null, infinite: true })
  })

  it('goes on when a timeline throws, and says so', async () => {
    const { seek, read } = await start(
      composition(`<script>__timelines.main = { duration: 1, seek() { throw new Error('broken seek') } }</script>`),
    )
    await seek(1)
    expect(await read('__vidHost.errors().map((error) => error.message)')).toEqual(['Uncaught Error: broken seek'])
  })
})

describe('pages that follow the time themselves', () => {
  it('dispatches vid-seek and hf-seek, and waits for the promises of listeners', async () => {
    const html = composition(`<script>window.log = []
      addEventListener('vid-seek', ({ detail }) => {
        detail.waitUntil(new Promise((done) => setTimeout(done, 20)).then(() => requestAnimationFrame(() => {}))
          .then(() => fetch('/data.json')).then(() => { log.push([detail.frame, detail.time]) }))
      })
      addEventListener('hf-seek', ({ detail }) => { window.alias = detail.time })</script>`)
    const { probe, seek, read } = await start(html, {}, { '/data.json': '{}' })
    expect(probe).toMatchObject({ stateful: false, duration: null })
    await seek(3)
    expect(await read('[log, alias]')).toEqual([[[3, 0.1]], 0.1])
  })

  it('seeks adapters and the older names for them', async () => {
    const html = composition(`<script>window.seen = {}
      __vid.registerAdapter({ name: 'mine', seek: (t) => { seen.mine = t }, duration: () => 7 })
      window.__hf = { duration: 3, seek: (t) => { seen.alias = t } }
      window.__hfLottie = [{ goToAndStop: (ms) => { seen.lottie = ms } }]
      window.__hfAnime = [{ seek: (ms) => { seen.anime = ms } }]</script>`)
    const { stepped, direct, probe } = await bothWays(start, html, 15, '({ ...seen, three: __hfThreeTime })')
    expect(stepped).toEqual({ mine: 0.5, alias: 0.5, lottie: 500, anime: 500, three: 0.5 })
    expect(direct).toEqual(stepped)
    expect(probe).toMatchObject({ stateful: false, duration: 7 })
  })

  it('returns the same random numbers at a frame of a seeked page, however it was reached', async () => {
    const html = composition(`<script>addEventListener('vid-seek', () => { window.r = Math.random() })</script>`)
    const { stepped, direct, probe } = await bothWays(start, html, 9, 'r')
    expect(stepped).toBe(direct)
    expect(probe.stateful).toBe(false)
  })

  it('returns the same random numbers in an iframe too', async () => {
    const html = composition(
      `<iframe id="inner" srcdoc="<script>window.draw = () => Math.random()</script>"></iframe>
      <script>addEventListener('vid-seek', () => { window.r = inner.contentWindow.draw() })</script>`,
    )
    const { stepped, direct, probe } = await bothWays(start, html, 9, 'r')
    expect(stepped).toBe(direct)
    expect(probe.stateful).toBe(false)
  })

  it('refuses to seek backwards', async () => {
    const { seek } = await start(composition(''))
    await seek(5)
    await expect(seek(4)).rejects.toThrow('seek(4) after frame 5')
  })
})
