import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { bothWays } from '../../testing/ways.ts'
import { LOADING_MS, seenAt } from './origin.ts'

const { start } = useBrowser()

describe('the virtual clock', () => {
  it('stays before its origin with a fixed date until the page begins', async () => {
    const { read } = await start(
      composition(`<script>window.seen = [Date.now(), new Date().toISOString(), performance.now(),
        new Intl.DateTimeFormat('en', { timeZone: 'UTC', dateStyle: 'short' }).format(), document.timeline.currentTime]</script>`),
    )
    expect(await read('seen')).toEqual([1735689600000, '2025-01-01T00:00:00.000Z', LOADING_MS, '1/1/25', LOADING_MS])
    expect(await read('Date.now()')).toBe(1735689600000)
  })

  it('has moved between the loading of a page and its first frame, in which loops without a step draw nothing', async () => {
    const html = composition(
      `<script>window.steps = []; let last = performance.now()
      requestAnimationFrame(function loop(t) { if (t > last) { steps.push(t - last); last = t } requestAnimationFrame(loop) })</script>`,
    )
    const { stepped, direct } = await bothWays(start, html, 0, 'steps')
    expect(stepped).toEqual([seenAt(0) - LOADING_MS])
    expect(direct).toEqual(stepped)
  })

  it('moves a ball drawn by requestAnimationFrame once a frame, with the time of the frame', async () => {
    const html = composition(
      `<script>window.stamps = []; window.x = 0
      requestAnimationFrame(function loop(t) { x += 2; stamps.push(t); requestAnimationFrame(loop) })</script>`,
    )
    const { stepped, direct, probe } = await bothWays(
      start,
      html,
      30,
      '[x, stamps.length, stamps.at(0), stamps.at(-1)]',
    )
    expect(stepped).toEqual([62, 31, seenAt(0), seenAt(1000)])
    expect(direct).toEqual(stepped)
    expect(probe.stateful).toBe(true)
    expect(probe.because).toEqual(['requestAnimationFrame'])
  })

  it('calls an interval as often as its delay fits', async () => {
    const html = composition('<script>window.n = 0; setInterval(() => n++, 100)</script>')
    const { stepped, direct, probe } = await bothWays(start, html, 30, 'n')
    expect(stepped).toBe(10)
    expect(direct).toBe(10)
    expect(probe.because).toEqual(['timers'])
  })

  it('runs each timer of a chain at its due time, with promises in between', async () => {
    const html = composition(`<script>window.log = []
      const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
      ;(async () => { for (const ms of [10, 20, 300]) { await sleep(ms); log.push(performance.now()) } })()
      setTimeout(() => log.push('a'), 30.9); clearTimeout(setTimeout(() => log.push('never'), 5))</script>`)
    const { stepped, direct } = await bothWays(start, html, 15, 'log')
    expect(stepped).toEqual([seenAt(10), 'a', seenAt(30), seenAt(330)])
    expect(direct).toEqual(stepped)
  })

  it('ends an endless chain of zero timers in each frame', async () => {
    const html = composition('<script>window.n = 0; (function go() { n++; setTimeout(go, 0) })()</script>')
    const { stepped, direct } = await bothWays(start, html, 3, 'n')
    expect(stepped).toBe(direct)
    expect(stepped).toBeGreaterThan(20)
    expect(stepped).toBeLessThan(60)
  })

  it('drives pages that read the date or performance.now in a loop', async () => {
    const html = composition(`<script>
      (function draw() { window.at = [Date.now() - 1735689600000, performance.now()]; requestAnimationFrame(draw) })()</script>`)
    const { stepped, direct } = await bothWays(start, html, 31, 'at')
    expect(stepped).toEqual([1033, expect.closeTo(1033.33, 1)])
    expect(direct).toEqual(stepped)
  })

  it('returns equal random numbers in every run', async () => {
    const html =
      composition(`<script>window.r = [Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(4))]]
      setInterval(() => r.push(Math.random()), 50)</script>`)
    const { stepped, direct } = await bothWays(start, html, 12, 'r')
    expect(direct).toEqual(stepped)
    expect(new Set((stepped as unknown[]).filter((value) => typeof value === 'number')).size).toBeGreaterThan(5)
  })

  it('is shared with frames of the same origin', async () => {
    const html = composition(
      `<iframe srcdoc="<script>parent.inner = []; setInterval(() => parent.inner.push(performance.now()), 100)</script>"></iframe>`,
    )
    const { stepped, direct } = await bothWays(start, html, 10, 'inner.map(Math.round)')
    expect(stepped).toEqual([100, 200, 300])
    expect(direct).toEqual(stepped)
  })

  it('collects what page scripts throw and goes on', async () => {
    const { probe, seek, read } = await start(
      composition(`<script>setInterval(() => { throw new Error('in a timer') }, 40)
        Promise.reject(new Error('unheard'))</script><script>throw new Error('at load')</script>`),
    )
    expect(probe.errors.map(({ message }) => message)).toEqual(
      expect.arrayContaining(['Uncaught Error: at load', 'unheard']),
    )
    expect(probe.errors.find(({ message }) => message.includes('at load'))).toMatchObject({
      source: 'http://localhost/',
      line: 3,
    })
    await seek(2)
    expect(await read<{ message: string }[]>('__vidHost.errors()')).toContainEqual(
      expect.objectContaining({ message: 'Uncaught Error: in a timer' }),
    )
  })
})
