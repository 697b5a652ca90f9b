import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { bothWays } from '../../testing/ways.ts'

const browser = useBrowser()
const { resolve } = createRequire(import.meta.url)
const anime = join(dirname(resolve('animejs/package.json')), 'dist/bundles/anime.umd.min.js')
const slide = {
  v: '5.7.0',
  fr: 20,
  ip: 0,
  op: 40,
  w: 320,
  h: 180,
  nm: 'slide',
  assets: [],
  layers: [{ ty: 3, ip: 0, op: 40, st: 0, ind: 1, ks: {}, nm: 'nothing', sr: 1 }],
}
const files = {
  '/anime.js': readFileSync(anime, 'utf8'),
  '/lottie.js': readFileSync(resolve('lottie-web/build/player/lottie.min.js'), 'utf8'),
  '/d3.js': readFileSync(join(dirname(resolve('d3')), '../dist/d3.min.js'), 'utf8'),
  '/slide.json': JSON.stringify(slide),
  '/broken.json': '{"v": "5.7.0", "layers": [',
  '/empty.json': '{"v":"5.7.0"}',
}
const start: typeof browser.start = (html, config) => browser.start(html, config, files)

const animePage = (script: string, root?: string) =>
  composition(
    `<div id="box"></div><div id="inner" data-composition-id="inner" data-start="1"><div id="nested"></div></div>
    <script src="/anime.js"></script><script>
    const linear = { duration: 1000, ease: 'linear' }
    const x = (name = 'box') => Number(anime.utils.get(document.getElementById(name), 'x', false))
    ${script}</script>`,
    root === undefined ? {} : { root },
  )

const lottiePage = (script: string, root?: string) =>
  composition(
    `<div id="box"></div><script src="/lottie.js"></script><script>
    const load = (options) => lottie.loadAnimation({ container: box, path: 'slide.json', loop: false, ...options })
    ${script}</script>`,
    root === undefined ? {} : { root },
  )

describe('anime.js', () => {
  it('is seeked, and sets the length of the page', async () => {
    const html = animePage(`anime.animate('#box', { x: 100, ...linear, delay: 500, loop: 1, alternate: true })`, '')
    const { stepped, direct, probe } = await bothWays<number>(start, html, 60, 'x()')
    expect(stepped).toBeCloseTo(50, 2)
    expect(direct).toBe(stepped)
    expect(probe).toMatchObject({ stateful: false, because: [], duration: 2.5 })
  })

  it('follows the local time of the composition around its target', async () => {
    const html = animePage(`anime.animate('#nested', { x: 100, ...linear })`, '')
    const { stepped, direct, probe } = await bothWays<number>(start, html, 45, `x('nested')`)
    expect(stepped).toBeCloseTo(50, 2)
    expect(direct).toBe(stepped)
    expect(probe.duration).toBe(2)
  })

  it('plays at its own speed, in the unit that the page has chosen, and loops endlessly', async () => {
    const html = animePage(`anime.engine.timeUnit = 's'
      anime.animate('#box', { x: 100, duration: 1, ease: 'linear', playbackRate: 2, loop: true })`)
    const { stepped, direct, probe } = await bothWays<number>(start, html, 37, 'x()')
    expect(stepped).toBeCloseTo(100 * (((37 / 30) * 2) % 1), 1)
    expect(direct).toBe(stepped)
    expect(probe.stateful).toBe(false)
  })

  it('calls callbacks once, in order, also after a direct seek', async () => {
    const html = animePage(`window.log = []
      anime.createTimeline().call(() => log.push('half'), 500).call(() => log.push('end'), 900)
      anime.animate('#box', { x: 1, ...linear, onBegin: () => log.push('begin'), onComplete: () => log.push('done') })`)
    const { stepped, direct, probe } = await bothWays(start, html, 40, 'log')
    expect(stepped).toEqual(['begin', 'half', 'end', 'done'])
    expect(direct).toEqual(stepped)
    expect(probe.because).toEqual(['anime.js callbacks'])
  })

  it('follows a page that pauses and resumes it', async () => {
    const html = animePage(`const move = anime.animate('#box', { x: 300, duration: 3000, ease: 'linear' })
      setTimeout(() => move.pause(), 500)
      setTimeout(() => move.resume(), 1500)`)
    const { stepped, direct } = await bothWays<number[]>(start, html, 30, '[x()]')
    const later = await bothWays<number>(start, html, 60, 'x()')
    expect(stepped[0]).toBeCloseTo(50, -1)
    expect(direct).toEqual(stepped)
    expect(Math.abs(later.stepped - 100)).toBeLessThan(5)
    expect(later.direct).toBe(later.stepped)
  })

  it('plays what a page creates later on the clock', async () => {
    const html = animePage(`setTimeout(() => anime.animate('#box', { x: 100, ...linear }), 500)`)
    const { stepped, direct } = await bothWays<number>(start, html, 30, 'x()')
    expect(Math.abs(stepped - 50)).toBeLessThan(4)
    expect(direct).toBe(stepped)
  })

  it('is seeked in milliseconds when it is registered as a timeline', async () => {
    const html = animePage(
      `__timelines.main = anime.createTimeline({ autoplay: false }).add('#box', { x: 100, ...linear })`,
      '',
    )
    const { stepped, direct, probe } = await bothWays<number>(start, html, 15, 'x()')
    expect(stepped).toBeCloseTo(50, 2)
    expect(direct).toBe(stepped)
    expect(probe).toMatchObject({ duration: 1, stateful: false })
  })
})

describe('lottie-web', () => {
  it('is seeked to fractional frames, and sets the length of the page', async () => {
    const html = lottiePage(`window.one = load(); window.two = load({ autoplay: false })`, '')
    const { stepped, direct, probe } = await bothWays<number[]>(start, html, 10, '[one.currentFrame, two.currentFrame]')
    expect(stepped).toEqual([expect.closeTo(20 / 3, 6), expect.closeTo(20 / 3, 6)])
    expect(direct).toEqual(stepped)
    expect(probe).toMatchObject({ stateful: false, because: [], duration: 2 })
  })

  it('is found in markup, and shows it from frame 0', async () => {
    const html = composition(
      `<div class="lottie" data-animation-path="slide.json" data-anim-loop="false"></div><script src="/lottie.js"></script>`,
    )
    const frame = 'lottie.getRegisteredAnimations()[0].currentFrame'
    const { stepped, direct, probe } = await bothWays<number>(start, html, 15, frame)
    expect(stepped).toBeCloseTo(10, 6)
    expect(direct).toBe(stepped)
    expect(probe.because).toEqual([])
  })

  it('ends on its last frame, loops as often as it says, and plays at its speed, backwards too', async () => {
    const html =
      lottiePage(`window.all = [load(), load({ loop: 1 }), load({ loop: true }), load({ loop: true }), load()]
      all[3].setSpeed(2)
      all[4].setDirection(-1)`)
    const { stepped, direct, probe } = await bothWays<number[]>(
      start,
      html,
      135,
      'all.map((each) => each.currentFrame)',
    )
    expect(stepped).toEqual([39, 39, 10, 20, 0].map((frame) => expect.closeTo(frame, 6)))
    expect(direct).toEqual(stepped)
    expect(probe.because).toEqual([])
  })

  it('is left to the page when the page poses or drives it', async () => {
    const html = lottiePage(`window.posed = load({ autoplay: false })
      posed.addEventListener('DOMLoaded', () => posed.goToAndStop(7, true))
      window.driven = load({ autoplay: false })
      addEventListener('vid-seek', ({ detail }) => driven.goToAndStop(30 - detail.frame, true))`)
    const { stepped, direct } = await bothWays(start, html, 12, '[posed.currentFrame, driven.currentFrame]')
    expect(stepped).toEqual([7, 18])
    expect(direct).toEqual(stepped)
  })

  it('goes on by itself, and is replayed, when a page listens to it or starts it later', async () => {
    const html = lottiePage(`window.ends = 0; window.frames = 0
      const heard = load()
      heard.addEventListener('enterFrame', () => { frames = heard.currentFrame })
      heard.addEventListener('complete', () => { ends += 1 })
      window.late = load({ autoplay: false })
      setTimeout(() => late.goToAndPlay(0, true), 1000)`)
    const { stepped, direct, probe } = await bothWays<number[]>(start, html, 75, '[ends, frames, late.currentFrame]')
    expect(stepped.slice(0, 2)).toEqual([1, 39])
    expect(Math.abs((stepped[2] ?? 0) - 30)).toBeLessThan(2)
    expect(direct).toEqual(stepped)
    expect(probe.because).toContain('requestAnimationFrame')
  })

  it('is awaited while it loads, and reported at once when it is no animation', async () => {
    const html = lottiePage(`window.one = load({ container: '#box' }); load({ path: 'missing.json' })
      load({ path: 'broken.json' }); load({ path: 'empty.json' }); load({ path: undefined, animationData: {} })`)
    const startMs = performance.now()
    const { probe, read } = await start(html)
    expect(performance.now() - startMs).toBeLessThan(60_000)
    expect(await read('[one.isLoaded, one.wrapper === box]')).toEqual([true, true])
    const messages = probe.errors.map(({ message }) => message).filter((text) => text.startsWith('Lottie'))
    expect(messages.toSorted()).toEqual([
      expect.stringMatching(/^Lottie could not load broken\.json: it is not JSON/),
      expect.stringMatching(/^Lottie could not load empty\.json: .*"layers"/),
      expect.stringMatching(/^Lottie could not load its animationData: .*"layers"/),
      expect.stringMatching(/^Lottie could not load missing\.json/),
    ])
  })

  it('starts with the clip that it is in', async () => {
    const html = composition(
      `<div id="clip" data-start="1" data-duration="1.5"><div id="box"></div></div><script src="/lottie.js"></script><script>
      window.one = lottie.loadAnimation({ container: box, path: 'slide.json', loop: false })
      window.two = lottie.loadAnimation({ container: box, path: 'slide.json', loop: false, autoplay: false })
      window.__hfLottie = [two]</script>`,
      { root: '' },
    )
    const frames = '[one.currentFrame, two.currentFrame]'
    const { stepped, direct, probe } = await bothWays<number[]>(start, html, 45, frames)
    expect(stepped).toEqual([10, 10].map((frame) => expect.closeTo(frame, 6)))
    expect(direct).toEqual(stepped)
    // Cut short by its clip.
    expect(probe.duration).toBe(2.5)
  })
})

describe('libraries in scripts of embedded compositions', () => {
  const names = 'document,window,window:self,window:globalThis,gsap,__timelines,__vid,anime,lottie,d3'
  const scene = (n: number, begin: number) =>
    `<div id="h${n}" data-composition-src="s.html" data-vid-instance="i${n}" data-vid-variables="{}" data-start="${begin}">
    <b class="dot"></b><b id="dot" class="other"></b></div>`
  const scoped = (n: number, code: string) =>
    `<script>(function({${names}}){(function(){${code}}).call(window)})(__vid.__scope('i${n}'))</script>`
  const page = (code: string, root?: string) =>
    composition(
      `<b class="dot"></b><b id="dot" class="other"></b>${scene(1, 1)}${scene(2, 0.5)}
      ${['anime', 'lottie', 'd3'].map((name) => `<script src="/${name}.js"></script>`).join('')}
      ${scoped(1, code)}${scoped(2, code)}`,
      root === undefined ? {} : { root },
    )
  const dots = (what: string) => `[...document.querySelectorAll('.dot')].map((each) => ${what})`
  const MOVED = dots(`Math.round(Number(anime.utils.get(each, 'x', false)))`)

  it.each([
    [`anime.animate('.dot', { x: 100, duration: 1000, ease: 'linear' })`],
    [`const { animate, utils } = anime; animate(utils.$('.dot'), { x: 100, duration: 1000, ease: 'linear' })`],
    [`window.anime.createTimeline().add('.dot', { x: 100, duration: 1000, ease: 'linear' })`],
    [
      `__timelines.a = anime.createTimeline({ autoplay: false }).set('.other', { x: 7 }).add('.dot', { x: 100, duration: 1000, ease: 'linear' }, 0)`,
    ],
    [
      `window.__hfAnime = window.__hfAnime || []
      window.__hfAnime.push(anime.animate('.dot', { x: 100, duration: 1000, ease: 'linear', autoplay: false }))`,
    ],
    [
      `anime.animate(document.querySelectorAll('.dot'), { x: 100, duration: 1000, ease: 'linear', onBegin: () => anime.utils.set('.other', { y: 3 }) })`,
    ],
  ])('%s moves its own targets, on their local time', async (code) => {
    const { stepped, direct, probe } = await bothWays<number[]>(start, page(code, ''), 39, MOVED)
    expect(stepped).toEqual([0, 30, 80])
    expect(direct).toEqual(stepped)
    expect(probe).toMatchObject({ duration: 2, errors: [] })
  })

  it("leaves the page's own document as it is", async () => {
    const { read, seek } = await start(page(`anime.animate('.dot', { x: 100, duration: 1000 })`))
    await seek(1)
    expect(await read(`[document.querySelectorAll('.dot').length, anime.utils.$('.dot').length]`)).toEqual([3, 3])
  })

  it('d3 selects inside its instance', async () => {
    const code = `d3.select('#dot').attr('data-n', 1); d3.selectAll('.dot').data([5]).text((value) => value)
      d3.select('body').append('i').attr('class', 'made').datum(3)`
    const { read } = await start(page(code))
    const texts = `[${dots('each.textContent')}, ...['.other', '.made'].map((name) =>
      [...document.querySelectorAll(name)].map((each) => each.dataset.n ?? each.parentElement.id))]`
    expect(await read(texts)).toEqual([
      ['', '5', '5'],
      ['root', '1', '1'],
      ['h1', 'h2'],
    ])
  })

  it('Lottie finds its container, and a player that is handed over follows its host', async () => {
    const code = `const load = (more) => lottie.loadAnimation({ container: '#dot', path: 'slide.json', loop: false, ...more })
      const own = load(), handed = load({ autoplay: false })
      window.__hfLottie = [handed]
      Object.assign(own.wrapper, { own, handed })`
    const index = `['h1', 'h2'].map((id) => document.querySelector('#' + id + ' > #dot')).map(({ own, handed }) => [own.currentFrame, handed.currentFrame].map(Math.round))`
    const { stepped, direct, probe } = await bothWays(start, page(code, ''), 45, index)
    expect(stepped).toEqual([
      [10, 10],
      [20, 20],
    ])
    expect(direct).toEqual(stepped)
    expect(probe).toMatchObject({ duration: 3, errors: [] })
  })
})

describe('players that are handed over', () => {
  it('seeks a dotLottie player by frames, at its speed, and stops it first', async () => {
    const html = composition(
      `<script>window.log = []
      window.__hfLottie = [{ totalFrames: 60, duration: 2, speed: 1, loop: false,
        pause: () => log.push('pause'), setFrame: (frame) => log.push(frame) }]</script>`,
      { root: '' },
    )
    const { seek, read, probe } = await start(html)
    await seek(15)
    expect(await read('log')).toEqual(['pause', 15])
    expect(probe).toMatchObject({ duration: 2, stateful: false })
  })
})
