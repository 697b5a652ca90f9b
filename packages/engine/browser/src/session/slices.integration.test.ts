import type { CaptureSession, Frame, SegmentSlice } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import { expect, test } from 'vitest'
import { DRAWN_WRONGLY } from '../fixtures/pictures.ts'
import { frameNumberPage, height, makeProject, openSession, pageOf, width } from '../fixtures/session.ts'

const FRAMES = 60
const segment = { index: 0, start: 0, frames: FRAMES }
const accepts = ['yuv420p', 'rgba', 'png'] as const

const plan = { fps: 30, width, height, frames: FRAMES, media: [], audio: [] } as unknown as RenderPlan

const open = async (html: string) => openSession({}, { projectDir: await makeProject({ 'index.html': html }) })

/** The frames of a capture, with pixels of their own. */
const taken = async (frames: AsyncIterable<Frame> | undefined, onFrame: (index: number) => void = () => {}) => {
  const all: { readonly index: number; readonly format: string; readonly pixels: string }[] = []
  for await (const { index, format, data } of frames ?? []) {
    all.push({ index, format, pixels: Buffer.from(data).toString('base64') })
    onFrame(index)
  }
  return all
}
const whole = (session: CaptureSession) => taken(session.frames(segment, accepts, plan))
const sliceOf = (end: () => number): SegmentSlice => ({ segment, end })
const part = (session: CaptureSession, start: number, end: number) =>
  taken(
    session.slice?.(
      start,
      sliceOf(() => end),
      accepts,
      plan,
    ),
  )

test('slices of two sessions, one of which becomes shorter, are the frames of one', async () => {
  const html = frameNumberPage()
  const [one, other, all] = await Promise.all([open(html), open(html), open(html)])
  let end = FRAMES
  const slice = one.session.slice?.(
    0,
    sliceOf(() => end),
    accepts,
    plan,
  )
  const first = await taken(slice, (index) => {
    if (index === 9) end = 20
  })
  const frames = [
    ...first,
    ...(await part(other.session, 20, 33)),
    ...(await part(one.session, 33, 47)),
    ...(await part(other.session, 47, FRAMES)),
  ]
  expect(frames.map(({ index }) => index)).toEqual(Array.from({ length: FRAMES }, (_, index) => index))
  expect(frames).toEqual(await whole(all.session))
  expect([one.warnings, other.warnings]).toEqual([[], []])
})

/** A page that cannot be drawn as an element while frames 24 to 39 are shown. */
const partlyUnfit = pageOf(
  `<b style="position:absolute;width:60px;height:60px;background:red"></b>
  <script>addEventListener('vid-seek', ({ detail }) => {
    const frame = Math.round(detail.time * 30)
    const isUnfit = frame >= 24 && frame < 40
    document.querySelector('b').style.cssText = 'position:absolute;width:60px;height:60px;background:red;left:' + frame * 3 +
      'px;' + (isUnfit ? 'backdrop-filter:blur(1px);mix-blend-mode:multiply;rotate:9deg' : '')
  })</script>`,
)

test('a slice ends without a word at a frame that is no element, and the rest is that of one session', async () => {
  const [one, all] = await Promise.all([open(partlyUnfit), open(partlyUnfit)])
  const expected = await whole(all.session)
  const warned = [expect.objectContaining({ code: 'VID_LANE_FALLBACK' })]
  expect(all.warnings).toEqual(warned)
  const first = await part(one.session, 0, FRAMES)
  expect(first.at(-1)?.index).toBe(23)
  expect(one.warnings).toEqual([])
  const rest = await taken(one.session.frames({ ...segment, start: 24, frames: FRAMES - 24 }, accepts, plan))
  expect([...first, ...rest]).toEqual(expected)
  expect(one.warnings).toEqual(warned)
})

/** A page that the raster lane draws wrongly from frame 50 on, without a change of the document. */
const wrongAtEnd = pageOf(
  `<b style="position:absolute;width:60px;height:60px;background:red"></b>
  <script>addEventListener('vid-seek', ({ detail }) => {
    const frame = Math.round(detail.time * 30)
    document.querySelector('b').style.left = frame * 3 + 'px'
    if (frame < 50 || globalThis.broken) return
    globalThis.broken = true
    document.styleSheets[0].insertRule('${DRAWN_WRONGLY}')
  })</script>`,
)

test('a wrong frame in one slice refuses the whole segment, so that no page draws a part of it', async () => {
  const projectDir = await makeProject({ 'index.html': wrongAtEnd })
  const openHere = () => openSession({}, { projectDir })
  const [one, other] = [await openHere(), await openHere()]
  expect(await part(one.session, 0, 40)).toHaveLength(40)
  await expect(part(other.session, 40, FRAMES)).rejects.toMatchObject({ code: 'VID_LANE_UNFIT' })
  expect(await part(one.session, 40, FRAMES)).toEqual([])
  const { session } = await openHere()
  expect(await part(session, 0, 40)).toEqual([])
  expect(new Set((await whole(session)).map(({ format }) => format))).toEqual(new Set(['png']))
})

test('a page that is captured as images captures no slices', async () => {
  const { session } = await openSession(
    {},
    { lane: 'screenshot', projectDir: await makeProject({ 'index.html': pageOf('') }) },
  )
  expect(session.slice).toBeUndefined()
})
