import { createPool } from '@vid/kernel'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  changePort,
  formatsOf,
  frameNumberPage,
  height,
  isAlive,
  numberIn,
  openSession,
  pageOf,
  pixelAt,
  pixelsOf,
  take,
  watchDriver,
  width,
} from '../fixtures/session.ts'
import { findBrowser } from '../index.ts'
import { leaseBrowser } from '../launch/browser-lease.ts'

const lanes = ['raster', 'begin-frame', 'screenshot'] as const

describe.each(lanes)('lane %s', (lane) => {
  const formats = formatsOf(lane)

  test('frame n of every range shows n, also in the middle and after a jump', async () => {
    const { session } = await openSession(frameNumberPage(), { lane })
    const frames = [...(await take(session, 3, 4, ...formats)), ...(await take(session, 40, 3, ...formats))]
    expect(frames.map(({ index }) => index)).toEqual([3, 4, 5, 6, 40, 41, 42])
    expect(await Promise.all(frames.map(numberIn))).toEqual([3, 4, 5, 6, 40, 41, 42])
  })

  test('a page that does not change gives repeats, and the next change is captured', async () => {
    const page = pageOf(`<b style="position:absolute;left:7px;top:9px;width:1px;height:1px"></b><script>
      addEventListener('vid-seek', ({ detail }) => {
        const frame = Math.round(detail.time * 30)
        document.querySelector('b').style.background = frame < 8 ? 'red' : frame < 9 ? 'blue' : 'lime'
      })</script>`)
    const { session } = await openSession(page, { lane })
    const frames = await take(session, 0, 12, ...formats)
    const repeats = frames.map(({ repeat = false }) => repeat)
    expect(repeats).toEqual(frames.map((_, index) => ![0, 8, 9].includes(index)))
    expect(frames[5]?.data).toBe(frames[0]?.data)
    const colours = await Promise.all(
      [0, 7, 8, 9, 11].map(async (n) => pixelAt(await pixelsOf(itemAt(frames, n)), 7, 9)),
    )
    expect(colours).toEqual([
      [255, 0, 0, 255],
      [255, 0, 0, 255],
      [0, 0, 255, 255],
      [0, 255, 0, 255],
      [0, 255, 0, 255],
    ])
  })

  test('the first frame of a range is never a repeat, and frames have the requested format', async () => {
    const { session } = await openSession(pageOf('still'), { lane })
    const first = await take(session, 0, 2, ...formats)
    const second = await take(session, 2, 2, ...formats)
    const third = await take(session, 4, 2, 'jpeg')
    expect([first, second, third].flat().map(({ repeat = false }) => repeat)).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
    ])
    expect(second[0]?.data).toEqual(first[0]?.data)
    expect(await pixelsOf(itemAt(third, 0))).toHaveLength(width * height * 4)
  })

  test('an alpha format is transparent where the page paints nothing', async () => {
    const page = pageOf(
      '<b style="position:absolute;width:50px;height:50px;background:#00f"></b>',
      `
      html, body { background: red } #root { background: none }`,
    )
    const { session } = await openSession(page, { lane, alpha: true })
    const [frame] = await take(session, 0, 1, ...formats)
    const pixels = await pixelsOf(itemAt([frame], 0))
    expect([pixelAt(pixels, 10, 10), pixelAt(pixels, 200, 100)]).toEqual([
      [0, 0, 255, 255],
      [0, 0, 0, 0],
    ])
  })
})

test.each(['png', 'jpeg'] as const)('both image lanes give the same bytes as %s', async (format) => {
  const page = pageOf(`<p style="font:30px sans-serif;transform:rotate(7deg)">Tests &amp; gradients</p>
    <b style="position:absolute;width:90px;height:90px;border-radius:50%;background:linear-gradient(#f08,#08f);box-shadow:0 4px 20px #000"></b>
    <script>addEventListener('vid-seek', ({ detail }) => {
      document.querySelector('b').style.transform = 'translate(' + detail.time * 100.3 + 'px,' + detail.time * 60.7 + 'px)'
    })</script>`)
  const [one, other] = await Promise.all(
    lanes.slice(1).map(async (lane) => take((await openSession(page, { lane })).session, 0, 10, format)),
  )
  expect(one?.map(({ data }) => Buffer.from(data))).toEqual(other?.map(({ data }) => Buffer.from(data)))
  expect(new Set(one?.map(({ data }) => Buffer.from(data).toString('base64'))).size).toBe(10)
})

test('an earlier range gets a new page in the same browser, and the same pictures', async () => {
  const { driver, pids } = watchDriver()
  const { session } = await openSession(frameNumberPage(), { driver })
  const once = await take(session, 10, 3)
  const again = await take(session, 10, 3)
  expect(again.map(({ data }) => Buffer.from(data))).toEqual(once.map(({ data }) => Buffer.from(data)))
  expect(await numberIn(itemAt(await take(session, 0, 1), 0))).toBe(0)
  expect(pids).toHaveLength(1)
})

test('a browser serves many sessions, and is replaced after a number of them', async () => {
  const { driver, pids } = watchDriver()
  const shared = createPool()
  onTestFinished(() => shared.close())
  const { signal } = new AbortController()
  const options = { driver, executable: await findBrowser(), frameControl: false, width, height, signal }
  // As a session does that opens its page.
  const serve = async () => {
    const browser = await leaseBrowser(shared, options)
    await browser.newPage()
    await browser.close()
  }
  for (let session = 0; session < 50; session += 1) await serve()
  expect(pids).toHaveLength(1)
  await serve()
  expect(pids).toHaveLength(2)
  expect(pids.map(isAlive)).toEqual([false, true])
})

test.each(lanes)(
  'sessions of a pool of one browser that capture at once show their own frames on lane %s',
  async (lane) => {
    const { driver, pids } = watchDriver()
    // As for two workers of a render on a server.
    const shared = createPool({ max: 1 })
    onTestFinished(() => shared.close())
    const capture = async (start: number) => {
      const { session } = await openSession(frameNumberPage(), { lane, driver, shared })
      const frames = await take(session, start, 20, ...formatsOf(lane))
      await session.close()
      return Promise.all(frames.map(numberIn))
    }
    const starts = [0, 20, 40]
    const numbers = await Promise.all(starts.map(capture))
    expect(numbers).toEqual(starts.map((start) => Array.from({ length: 20 }, (_, index) => start + index)))
    // A page that is drawn on command has a browser alone, which the next session takes.
    const browsers = lane === 'begin-frame' ? 3 : 1
    expect(pids).toHaveLength(browsers)
    await capture(5)
    expect(pids).toHaveLength(browsers)
  },
)

test('a browser that draws with the instruction sets of the processor serves no session that may not', async () => {
  const { driver, pids } = watchDriver()
  const shared = createPool()
  onTestFinished(() => shared.close())
  const serve = async (raster: 'native' | 'portable') =>
    (await openSession(pageOf(''), { driver, shared, raster })).session.close()
  for (const raster of ['native', 'portable', 'native', 'portable'] as const) await serve(raster)
  expect(pids).toHaveLength(2)
})

test('a reader that leaves with the last frame leaves the browser to the next session, one that leaves before does not', async () => {
  const { driver, pids } = watchDriver()
  const shared = createPool()
  onTestFinished(() => shared.close())
  const readFirstOf = async (frames: number) => {
    const { session } = await openSession(frameNumberPage(), { driver, shared })
    for await (const _first of session.frames({ index: 0, start: 0, frames }, ['png'])) break
    await session.close()
  }
  await readFirstOf(1)
  await readFirstOf(2)
  expect(pids).toHaveLength(1)
  await readFirstOf(1)
  expect(pids).toHaveLength(2)
})

test('a page that keeps state is replayed from frame 0 before a range in the middle', async () => {
  const page = pageOf(`<b style="position:absolute;height:20px;background:#000"></b><script>
    let steps = 0
    const step = () => { steps++; document.querySelector('b').style.width = steps + 'px'; requestAnimationFrame(step) }
    requestAnimationFrame(step)</script>`)
  const { session } = await openSession(page)
  expect((await session.probe()).stateful).toBe(true)
  const through = (await take(session, 0, 75)).slice(70)
  const direct = await take((await openSession(page)).session, 70, 5)
  expect(direct.map(({ data }) => Buffer.from(data))).toEqual(through.map(({ data }) => Buffer.from(data)))
})

test('a page with WebGL is replayed frame by frame: many of its slow frames in one call would count as a stall', async () => {
  const page = pageOf(`<canvas></canvas><script>
    document.querySelector('canvas').getContext('webgl')
    const step = () => requestAnimationFrame(step)
    step()</script>`)
  const seeks: number[] = []
  const driver = changePort(({ send, on }) => ({
    on,
    send(method, params) {
      const [, frame] = /\.seek\((\d+)/.exec(String(params?.expression)) ?? []
      if (frame !== undefined) seeks.push(Number(frame))
      return send(method, params)
    },
  }))
  const { session } = await openSession(page, { driver, lane: 'screenshot' })
  await take(session, 5, 1)
  expect(seeks).toEqual([1, 2, 3, 4, 5])
})

test('after a range is abandoned, a later range of the same page can be read', async () => {
  const { session } = await openSession(frameNumberPage())
  for await (const frame of session.frames({ index: 0, start: 0, frames: 100 }, ['png'])) if (frame.index === 2) break
  expect(await numberIn(itemAt(await take(session, 20, 1), 0))).toBe(20)
})

test('an encoder that accepts no image format is refused, and the error lists its formats', async () => {
  const { session } = await openSession(pageOf('still'), { lane: 'begin-frame' })
  await expect(take(session, 0, 1, 'yuv420p')).rejects.toMatchObject({ code: 'VID_FRAME_FORMAT' })
})

const itemAt = <T>(list: readonly (T | undefined)[], index: number): T => {
  const entry = list[index]
  if (entry === undefined) throw new Error(`nothing at ${index}`)
  return entry
}
