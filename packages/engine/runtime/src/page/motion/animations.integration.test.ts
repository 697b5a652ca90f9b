import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { bothWays } from '../../testing/ways.ts'
import { seenAt } from '../clock/origin.ts'

const { start } = useBrowser()

const SPIN = '<style>@keyframes spin{to{rotate:360deg}}#box{animation:spin 2s linear infinite}</style>'
const MOVE = '@keyframes move{from{left:0}to{left:100px}}#box{position:absolute}'
const LEFT = 'Math.round(parseFloat(getComputedStyle(box).left))'

describe('CSS and script animations', () => {
  it('seeks a CSS spinner without replay', async () => {
    const html = composition(`${SPIN}<div id="box"></div>`)
    const { stepped, direct, probe } = await bothWays(start, html, 45, 'getComputedStyle(box).rotate')
    expect(stepped).toBe('270deg')
    expect(direct).toBe('270deg')
    expect(probe).toMatchObject({ stateful: false, duration: null, infinite: true })
  })

  it('seeks a script animation with delay and fill', async () => {
    const html = composition(`<style>#box{position:absolute}</style><div id="box"></div><script>
      box.animate({ left: ['0px', '100px'] }, { duration: 1000, delay: 500, fill: 'forwards' })</script>`)
    const { stepped, direct, probe } = await bothWays(start, html, 30, LEFT)
    expect(stepped).toBe(50)
    expect(direct).toBe(50)
    expect(probe).toMatchObject({ stateful: false, duration: 1.5 })
    expect((await bothWays(start, html, 60, LEFT)).direct).toBe(100)
  })

  it('starts an animation with the clip that it is in', async () => {
    const html = composition(`<style>${MOVE}#box{animation:move 1s linear both}</style>
      <div data-start="1" data-duration="5"><div id="box"></div></div>`)
    const { direct, probe } = await bothWays(start, html, 45, LEFT)
    expect(direct).toBe(50)
    expect(probe).toMatchObject({ stateful: false, duration: 2 })
  })

  it('keeps an animation at 0 while the page loads, however long that takes', async () => {
    const html = composition(`<style>${MOVE}#box{animation:move 10ms linear}</style><div id="box"></div>
      <script>__vid.waitUntil(new Promise((done) => setTimeout(done, 100)))</script>`)
    const { seek, read } = await start(html, { fps: 60 })
    await seek(0)
    expect(await read(LEFT)).toBe(0)
    expect(await read('box.getAnimations().length')).toBe(1)
  })

  it('respects what the page itself has paused', async () => {
    const html = composition(`<style>${MOVE}#box{animation:move 1s linear paused}</style><div id="box"></div>`)
    expect((await bothWays(start, html, 15, LEFT)).direct).toBe(0)
  })

  it('starts a transition at the frame after which a timer has caused it', async () => {
    const html = composition(`<style>#box{position:absolute;left:0;transition:left 1s linear}#box.on{left:100px}</style>
      <div id="box"></div><script>window.ends = []
      setTimeout(() => box.classList.add('on'), 500)
      box.addEventListener('transitionend', (event) => ends.push([event.propertyName, event.elapsedTime, performance.now()]))</script>`)
    const { stepped, direct, probe } = await bothWays(start, html, 30, LEFT)
    expect(stepped).toBe(50)
    expect(direct).toBe(50)
    expect(probe.stateful).toBe(true)
    expect((await bothWays(start, html, 50, `[${LEFT}, ends]`)).direct).toEqual([100, [['left', 1, seenAt(1500)]]])
  })

  it('turns a transition that a timer interrupts where it is by then', async () => {
    const html =
      composition(`<style>#box{position:absolute;left:0;transition:left 1s linear}</style><div id="box"></div><script>
      window.seen = []
      onload = () => { box.style.left = '300px' }
      setTimeout(() => { box.style.left = '100px' }, 500)
      addEventListener('vid-seek', () => seen.push(${LEFT}))</script>`)
    const { stepped, direct } = await bothWays<[number, number[]]>(start, html, 30, `[${LEFT}, seen]`)
    expect(stepped).toEqual(direct)
    expect(stepped[0]).toBe(125)
    expect(stepped[1].slice(13, 17)).toEqual([130, 140, 150, 148])
  })

  it('starts a transition that the load event has caused at time 0', async () => {
    const html = composition(`<style>#box{position:absolute;left:0;transition:left 1s linear}#box.on{left:100px}</style>
      <div id="box"></div><script>onload = () => box.classList.add('on')</script>`)
    const { stepped, direct, probe } = await bothWays(start, html, 15, LEFT)
    expect(stepped).toBe(50)
    expect(direct).toBe(50)
    expect(probe.because).toContain('transitions')
  })

  it('dispatches starts, iterations and ends at the time of the clock', async () => {
    const html =
      composition(`<style>${MOVE}#box{animation:move 1s linear 2}</style><div id="box"></div><script>window.log = []
      for (const type of ['animationstart', 'animationiteration', 'animationend'])
        box.addEventListener(type, (event) => log.push([event.type, event.elapsedTime, Math.round(performance.now())]))</script>`)
    const { stepped, direct, probe } = await bothWays(start, html, 70, 'log')
    expect(stepped).toEqual([
      ['animationstart', 0, 0],
      ['animationiteration', 1, 1000],
      ['animationend', 2, 2000],
    ])
    expect(direct).toEqual(stepped)
    expect(probe.because).toEqual(['animation events'])
  })

  it('settles the finished promise of a script animation when its time has come', async () => {
    const html = composition(`<div id="box"></div><script>window.log = []
      const one = box.animate({ opacity: [0, 1] }, 500); one.onfinish = () => log.push(['event', performance.now()])
      one.finished.then(() => box.animate({ opacity: [1, 0] }, { duration: 500, fill: 'both' }).finished)
        .then(() => log.push(['second', performance.now()]))</script>`)
    const { stepped, direct } = await bothWays(start, html, 40, '[log, getComputedStyle(box).opacity]')
    expect(stepped).toEqual([
      [
        ['event', seenAt(500)],
        ['second', seenAt(1000)],
      ],
      '0',
    ])
    expect(direct).toEqual(stepped)
  })

  it('follows a script that pauses, plays and reverses on the clock', async () => {
    const html = composition(`<style>#box{position:absolute}</style><div id="box"></div><script>
      const anim = box.animate({ left: ['0px', '100px'] }, { duration: 1000, fill: 'both' })
      setTimeout(() => anim.pause(), 200); setTimeout(() => anim.play(), 700); setTimeout(() => anim.reverse(), 1000)</script>`)
    expect((await bothWays(start, html, 15, `[${LEFT}, anim.playState]`)).direct).toEqual([20, 'paused'])
    expect((await bothWays(start, html, 30, `[${LEFT}, anim.playState]`)).direct).toEqual([50, 'running'])
    expect((await bothWays(start, html, 36, LEFT)).direct).toBe(30)
  })

  it('follows start times and rates that a script sets, and ends a reversed animation at its beginning', async () => {
    const html = composition(`<style>#box{position:absolute}</style><div id="box"></div><script>
      const anim = box.animate({ left: ['0px', '100px'] }, { duration: 1000, fill: 'both' })
      setTimeout(() => { anim.startTime = document.timeline.currentTime; anim.playbackRate = 2 }, 500)
      setTimeout(() => anim.reverse(), 900); window.over = []
      anim.addEventListener('finish', () => over.push(performance.now()))</script>`)
    expect((await bothWays(start, html, 24, `[${LEFT}, anim.playbackRate]`)).direct).toEqual([60, 2])
    const { stepped, direct } = await bothWays(start, html, 60, `[${LEFT}, over]`)
    expect(stepped).toEqual([0, [seenAt(1300)]])
    expect(direct).toEqual(stepped)
  })

  it('replays a page where a seek may start a transition or a dormant animation', async () => {
    const listen = `<script>addEventListener('vid-seek', ({ detail }) => box.classList.toggle('on', detail.time >= 1))</script>`
    const transition = composition(
      `<style>#box{position:absolute;left:0;transition:left 1s linear}#box.on{left:100px}</style><div id="box"></div>${listen}`,
    )
    const one = await bothWays(start, transition, 45, LEFT)
    expect([one.stepped, one.direct, one.probe.stateful]).toEqual([50, 50, true])
    const dormant = composition(
      `<style>${MOVE}#box.on{animation:move 1s linear both}</style><div id="box"></div>${listen}`,
    )
    const two = await bothWays(start, dormant, 45, LEFT)
    expect([two.stepped, two.direct, two.probe.stateful]).toEqual([50, 50, true])
  })

  it('seeks animations inside frames and shadow roots', async () => {
    const html =
      composition(`<iframe srcdoc="${SPIN.replaceAll('"', '&quot;')}<div id=box></div>"></iframe><div id="host"></div>
      <script>host.attachShadow({ mode: 'open' }).innerHTML = '<style>@keyframes spin{to{rotate:360deg}}i{display:block;animation:spin 2s linear infinite}</style><i></i>'</script>`)
    const { direct } = await bothWays(
      start,
      html,
      15,
      `[document.querySelector('iframe').contentDocument.getElementById('box'), host.shadowRoot.querySelector('i')]
        .map((each) => getComputedStyle(each).rotate)`,
    )
    expect(direct).toEqual(['90deg', '90deg'])
  })
})
