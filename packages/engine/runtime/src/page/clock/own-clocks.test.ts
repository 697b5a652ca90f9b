import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { bothWays } from '../../testing/ways.ts'
import { LOADING_MS, seenAt } from './origin.ts'

const { start } = useBrowser()

describe('what has a time of its own', () => {
  it('is an audio context, and it follows the clock', async () => {
    const html = composition(`<script>
      const live = new AudioContext(), offline = new OfflineAudioContext(1, 4800, 48000)
      ;(function draw() {
        const { contextTime, performanceTime } = live.getOutputTimestamp()
        window.at = [live.currentTime, contextTime, performanceTime, offline.currentTime]
        requestAnimationFrame(draw)
      })()</script>`)
    const { stepped, direct } = await bothWays(start, html, 15, 'at')
    expect(stepped).toEqual([seenAt(500) / 1000, seenAt(500) / 1000, seenAt(500), 0])
    expect(direct).toEqual(stepped)
  })

  it('is a mark or a measure, and it has the time of the frame', async () => {
    const html = composition(`<script>
      performance.mark('begin')
      setTimeout(() => {
        const marks = [performance.mark('now'), performance.mark('said', { startTime: 5 })]
        const measures = [['m'], ['m', 'begin'], ['m', 'begin', 'said'], ['m', { start: 50, duration: 7 }]]
        window.log = [...marks, ...measures.map((each) => performance.measure(...each))]
          .map(({ startTime, duration }) => [startTime, duration])
      }, 100)</script>`)
    const { stepped, direct } = await bothWays(start, html, 6, 'log')
    expect(stepped).toEqual([
      [seenAt(100), 0],
      [5, 0],
      [0, seenAt(100)],
      [LOADING_MS, seenAt(100) - LOADING_MS],
      [LOADING_MS, 5 - LOADING_MS],
      [50, 7],
    ])
    expect(direct).toEqual(stepped)
  })

  it('is a delay that is no timer, and it ends when it is due', async () => {
    const html = composition(`<script>window.log = []
      AbortSignal.timeout(100).onabort = ({ target }) => log.push(performance.now(), target.reason.name)
      scheduler.postTask(() => log.push('at once'))
      scheduler.postTask(() => log.push(performance.now()), { delay: 200, priority: 'user-blocking' })</script>`)
    const { stepped, direct, probe } = await bothWays(start, html, 15, 'log')
    expect(stepped).toEqual(['at once', seenAt(100), 'TimeoutError', seenAt(200)])
    expect(direct).toEqual(stepped)
    expect(probe.because).toEqual(['timers'])
  })

  it('is a chain of tasks, and each runs when it is due', async () => {
    const html = composition(`<script>window.n = 0
      const go = () => { n++; scheduler.postTask(go, { delay: 10 }) }
      scheduler.postTask(go)
      const ended = new AbortController(); window.late = scheduler.postTask(() => 1, { delay: 50, signal: ended.signal }).catch(String)
      ended.abort('ended')</script>`)
    const { stepped, direct } = await bothWays(start, html, 15, 'late.then((late) => [n, late])')
    expect(stepped).toEqual([51, 'ended'])
    expect(direct).toEqual(stepped)
  })

  it('is how long loading took, and when the file was written', async () => {
    const { read } = await start(composition(''))
    expect(
      await read(`[performance.timing.navigationStart, performance.timing.loadEventEnd, document.lastModified,
        ...performance.getEntriesByType('navigation').flatMap((each) => [each.responseEnd, each.domComplete, each.duration])]`),
    ).toEqual([1735689600000, 1735689600000, '01/01/2025 00:00:00', 0, 0, 0])
  })
})

describe('a random value', () => {
  it('that no seed can fix is reported once', async () => {
    const page = await start(
      composition(
        `<script>for (const n of [1, 2]) crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt'])</script>`,
      ),
    )
    expect(await page.read('__vidHost.errors().map((each) => each.message)')).toEqual([
      expect.stringContaining('crypto.subtle.generateKey'),
    ])
  })
})

describe('a worker', () => {
  const worker = (body: string) => `const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(body)}])))`
  const asks = (body: string, script: string) => composition(`<script>${worker(body)};${script}</script>`)

  it('that answers is replayed with its page, without a report', async () => {
    const page = await start(
      asks(
        'onmessage = ({ data }) => postMessage(data)',
        `addEventListener('vid-seek', ({ detail }) => detail.waitUntil(new Promise((done) => {
          worker.onmessage = ({ data }) => { window.answer = data; done() }
          worker.postMessage(detail.frame)
        })))`,
      ),
    )
    expect(page.probe.because).toEqual(['workers'])
    await page.seek(3)
    expect(await page.read('answer')).toBe(3)
    expect(await page.read('__vidHost.errors()')).toEqual([])
  })

  it('that draws a canvas of the page shows in each frame what it has drawn for it', async () => {
    const page = await start(
      asks(
        `let context
        const draw = () => {
          context.fillStyle = 'rgb(' + Math.round(performance.now() / 10) + ',0,0)'
          context.fillRect(0, 0, 20, 10)
          requestAnimationFrame(draw)
        }
        onmessage = ({ data }) => { context = data.deep[0].getContext('2d'); data.deep[0].width = 20; draw() }`,
        `const canvas = document.createElement('canvas')
        window.shown = canvas
        canvas.width = canvas.height = 10
        const offscreen = canvas.transferControlToOffscreen()
        const other = new OffscreenCanvas(1, 1)
        worker.postMessage({ other, deep: [offscreen] }, [offscreen, other])`,
      ),
    )
    const red = `[shown.width, shown.getContext('2d').getImageData(15, 5, 1, 1).data[0]]`
    for (const frame of [3, 6, 12]) {
      await page.seek(frame)
      expect(await page.read(red)).toEqual([20, Math.round((frame * 100) / 30)])
    }
    expect(page.probe.errors).toEqual([])
  })

  it('that the page reaches through another object cannot draw its canvas, which is reported', async () => {
    const page = await start(
      asks(
        'onmessage = () => {}',
        `const canvas = document.createElement('canvas').transferControlToOffscreen()
        new MessageChannel().port1.postMessage(canvas, [canvas])`,
      ),
    )
    await page.seek(1)
    expect(await page.read('__vidHost.errors().map(({ message }) => message)')).toEqual([
      expect.stringContaining('through another object than the Worker'),
    ])
  })
  it('is no clock of a window or a worker that begins at 0, which a script takes for a time not noted yet', async () => {
    const worker = `let begun; (function draw() { if (!begun) begun = performance.now()
      requestAnimationFrame((t) => { postMessage([begun, t, performance.now()]); draw() }) })()`
    const html = composition(`<div id="box"></div><script>
      let noted, unset, frame
      new Worker(URL.createObjectURL(new Blob([${JSON.stringify(worker)}]))).onmessage = ({ data }) => { frame ??= data[0]; window.inWorker = data[1] - data[0] }
      const context = new AudioContext(), animation = box.animate({ opacity: [0, 1] }, 2000)
      const origins = [performance.now(), document.timeline.currentTime, new Event('x').timeStamp, context.currentTime * 1000,
        performance.mark('m').startTime]
      requestAnimationFrame(function draw(t) {
        if (!noted) noted = t
        unset ??= t
        window.at = [t - noted, t - unset, performance.now() - t, document.timeline.currentTime - t,
          document.timeline.currentTime - animation.startTime - animation.currentTime, Date.now() - performance.timeOrigin - Math.floor(t)]
        window.all = [...origins, noted, frame]
        requestAnimationFrame(draw)
      })</script>`)
    const { stepped, direct } = await bothWays(start, html, 15, '[at, inWorker, all]')
    expect(stepped).toEqual([
      [500, 500, 0, 0, expect.closeTo(0, 9), 0],
      500,
      [...Array(5).fill(expect.closeTo(LOADING_MS, 9)), seenAt(0), seenAt(0)],
    ])
    expect(direct).toEqual(stepped)
  })
})
