import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { bothWays } from '../../testing/ways.ts'

const { start } = useBrowser()

const blob = (script: string, options = '') =>
  `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(script)}])), ${options || 'undefined'})`

describe('a worker', () => {
  it.each([
    ['', 'a script'],
    ["{ type: 'module' }", 'a module'],
  ])('%s has the time of the page, and its timers and frames run on it', async (options) => {
    const html = composition(`<script>window.log = []
      const worker = ${blob(
        `const tell = (what) => postMessage([what, performance.now(), Date.now() - performance.timeOrigin])
         tell('load'); setTimeout(tell, 100, 'timeout'); setInterval(tell, 150, 'interval')
         let n = 0; const frame = (at) => { if (++n % 6 === 0) tell('frame ' + at.toFixed(0)); requestAnimationFrame(frame) }
         requestAnimationFrame(frame)`,
        options,
      )}
      worker.onmessage = ({ data }) => log.push([...data.map((each) => typeof each === 'number' ? Math.round(each) : each), Math.round(performance.now())])</script>`)
    const { stepped, direct, probe } = await bothWays(start, html, 10, 'log')
    expect(direct).toEqual(stepped)
    expect(stepped).toEqual([
      ['load', 0, 0, 0],
      ['timeout', 100, 100, 100],
      ['interval', 150, 150, 167],
      ['frame 167', 167, 166, 167],
      ['interval', 300, 300, 300],
    ])
    expect(probe.because).toContain('workers')
    expect(probe.errors).toEqual([])
  })

  it('answers within the frame of the message, and several workers in the order of their creation', async () => {
    const html = composition(`<script>window.log = []
      const script = 'onmessage = async ({ data }) => { await new Response("x").text(); postMessage(data + 1) }'
      const url = URL.createObjectURL(new Blob([script]))
      const workers = [0, 1, 2].map((id) => {
        const worker = new Worker(url)
        worker.addEventListener('message', ({ data }) => {
          log.push([Math.round(performance.now()), id, data])
          if (data % 3) worker.postMessage(data)
        })
        return worker
      })
      URL.revokeObjectURL(url)
      const draw = () => { if (performance.now() > 60) for (const worker of [...workers].reverse()) worker.postMessage(0); requestAnimationFrame(draw) }
      requestAnimationFrame(draw)</script>`)
    const { stepped, direct } = await bothWays(start, html, 3, 'log')
    expect(direct).toEqual(stepped)
    const frame = (time: number) => [1, 2, 3].flatMap((data) => [0, 1, 2].map((id) => [time, id, data]))
    expect(stepped).toEqual([...frame(67), ...frame(100)])
  })

  it('has the chance of the composition, and a promise that waits for it is kept', async () => {
    const html = composition(`<script>window.log = []
      const worker = ${blob('onmessage = () => postMessage([Math.random(), crypto.randomUUID()])')}
      const ask = () => new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); worker.postMessage(0) })
      addEventListener('vid-seek', ({ detail }) => detail.waitUntil(ask().then(ask).then((data) => log.push(data))))</script>`)
    const one = await bothWays<unknown[]>(start, html, 2, 'log')
    expect(one.direct).toEqual(one.stepped)
    expect(new Set(one.stepped.map(String)).size).toBe(3)
  })

  it('that talks with the page without end does so at a pace of the clock', async () => {
    const html = composition(`<script>window.n = 0
      const worker = ${blob('onmessage = () => postMessage(0)')}
      worker.onmessage = () => { n++; worker.postMessage(0) }; worker.postMessage(0)</script>`)
    const { stepped, direct } = await bothWays<number>(start, html, 3, 'n')
    expect(direct).toBe(stepped)
    // A hundred before the page begins, and as many in each of four frames.
    expect(stepped).toBe(500)
  })

  it('that the page answers while it loads holds nothing up once both are silent', async () => {
    const html = composition(`<script>window.log = []
      const worker = ${blob(
        `postMessage('ready')
         onmessage = ({ data }) => { setTimeout(() => postMessage('later'), 50); postMessage(data + ' done') }`,
      )}
      worker.onmessage = ({ data }) => {
        log.push([data, Math.round(performance.now())])
        if (data === 'ready') worker.postMessage('init')
      }</script>`)
    const { stepped, direct } = await bothWays(start, html, 3, 'log')
    expect(direct).toEqual(stepped)
    expect(stepped).toEqual([
      ['ready', 0],
      ['init done', 0],
      ['later', 67],
    ])
  })

  it('that cannot be started, or has ended, is not waited for', async () => {
    const html = composition(`<script>
      new Worker('/nowhere.js').onerror = () => { window.failed = true }
      const ended = ${blob('postMessage(1); close()')}
      ended.onmessage = ({ data }) => { window.said = data }
      ${blob('')}.terminate()</script>`)
    const page = await start(html)
    await page.seek(0)
    await page.seek(3)
    expect(await page.read('[failed, said]')).toEqual([true, 1])
  })
})
