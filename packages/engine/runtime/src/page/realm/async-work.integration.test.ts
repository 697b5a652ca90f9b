import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { bothWays } from '../../testing/ways.ts'
import { LOADING_MS, seenAt } from '../clock/origin.ts'

const { start } = useBrowser()

const BYTES = 'new Uint8Array(500_000)'

/** Work of the browser that takes real time, each as the body of an async function. */
const WORK: Readonly<Record<string, string>> = {
  createImageBitmap: 'await createImageBitmap(new ImageData(600, 600))',
  'OffscreenCanvas.convertToBlob':
    'const c = new OffscreenCanvas(600, 600); c.getContext("2d").fillRect(0, 0, 9, 9); await c.convertToBlob()',
  ImageDecoder: `const c = new OffscreenCanvas(600, 600); c.getContext("2d").fillRect(0, 0, 9, 9)
    const data = await (await c.convertToBlob()).arrayBuffer()
    const d = new ImageDecoder({ data, type: 'image/png' }); await d.completed; await d.tracks.ready; (await d.decode()).image.close()`,
  SubtleCrypto: `await crypto.subtle.digest('SHA-256', ${BYTES})`,
  FileReader: `const r = new FileReader(); await new Promise((done) => { r.onload = done; r.readAsDataURL(new Blob([${BYTES}])) })`,
  Blob: `await new Blob([${BYTES}]).text()`,
  VideoEncoder: `let n = 0; const e = new VideoEncoder({ output() { n++ }, error() {} })
    e.configure({ codec: 'vp8', width: 320, height: 320 })
    const c = new OffscreenCanvas(320, 320); c.getContext('2d')
    const f = new VideoFrame(c, { timestamp: 0 }); e.encode(f); f.close(); await e.flush(); e.close(); if (n !== 1) throw new Error(n)`,
}
/** The same, which only a window can do. */
const WINDOW_WORK: Readonly<Record<string, string>> = {
  toBlob:
    'const c = document.createElement("canvas"); c.width = c.height = 900; await new Promise((done) => c.toBlob(done))',
  OfflineAudioContext: `const o = new OfflineAudioContext(1, 480_000, 48_000); o.createOscillator().start(); await o.startRendering()`,
}

/** Each of the works in turn and 70 ms of the clock after it, with the time at which each has ended. */
const chainOf = (work: Readonly<Record<string, string>>, report: string) => `
  const works = [${Object.values(work).map((body) => `async () => { ${body} }`)}], log = []
  let index = 0
  const step = async () => {
    await works[index++ % works.length]()
    log.push(performance.now())
    ${report}
    setTimeout(step, 70)
  }
  step()`

const times = Array.from({ length: 15 }, (_, index) => seenAt(70 * index))
const inWindow = [LOADING_MS, ...times.slice(1)]

describe('work that the browser does meanwhile', () => {
  it('takes no time of the clock, so that a chain of it and of timers is the same in every run', async () => {
    const html = composition(`<script>${chainOf({ ...WORK, ...WINDOW_WORK }, 'window.log = log')}</script>`)
    const { stepped, direct } = await bothWays(start, html, 30, 'log')
    expect(stepped).toEqual(inWindow)
    expect(direct).toEqual(stepped)
  })

  it('takes none in a worker either', async () => {
    const worker = chainOf(WORK, 'postMessage(log)')
    const html = composition(`<script>window.log = []
      new Worker(URL.createObjectURL(new Blob([${JSON.stringify(worker)}]))).onmessage = ({ data }) => { window.log = data }</script>`)
    const { stepped, direct } = await bothWays(start, html, 30, 'log')
    expect(stepped).toEqual(times)
    expect(direct).toEqual(stepped)
  })

  it('does not keep a page from its frames that asks for it without end', async () => {
    const { seek, read } = await start(
      composition(`<script>window.n = 0
        const ask = async () => { for (;;) { n += 1; await new Blob(['a']).arrayBuffer() } }; ask()</script>`),
    )
    await seek(1)
    expect(await read('n')).toBeGreaterThan(100)
  })
})
