import { createPool, type Frame, type FrameFormat } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import { afterAll, expect, test } from 'vitest'
import { changePort, height, openSession, pageOf, take, width } from '../../fixtures/session.ts'

/** `npm run lab -- changed-rows` takes the number of random pages from the command line. */
const PAGES = Number(process.env.VID_CHANGED_ROWS ?? 2)
const isSweep = PAGES > 2
const FRAMES = isSweep ? 12 : 8
/** Those that are drawn by a page of their own too. */
const WHOLE = isSweep ? Array.from({ length: FRAMES }, (_, index) => index) : [1, 4, 6, 7]

interface TakeOptions {
  readonly alpha?: boolean
  readonly scale?: number
}

/** How many rows were drawn of each frame of the page that is taken now. */
let rowCounts: number[] = []

const driver = changePort(({ send, on }) => ({
  on,
  send: async (method, params) => {
    const answer = await send(method, params)
    const bands = [...(JSON.stringify(answer) ?? '').matchAll(/"first":(\d+),"end":(\d+)/g)]
    if (bands.length > 0) rowCounts.push(bands.reduce((sum, [, first, end]) => sum + Number(end) - Number(first), 0))
    return answer
  },
}))

/** The browsers of that driver. */
const shared = createPool()
afterAll(() => shared.close())

/** The frames of a page, and the shares of their rows that were drawn: those of a whole picture, or only those that changed. */
const takeRows = async (page: string, format: FrameFormat, isWhole: boolean, options: TakeOptions = {}) => {
  rowCounts = []
  const counts = rowCounts
  const { session } = await openSession(page, { ...options, lane: 'raster', driver, shared })
  const frames: Frame[] = []
  // The first frame of a range is drawn as a whole.
  if (isWhole) for (const start of WHOLE) frames.push(...(await take(session, start, 1, format)))
  else frames.push(...(await take(session, 0, FRAMES, format)))
  await session.close()
  return { frames, shares: counts.map((count) => count / Math.round(height * (options.scale ?? 1))) }
}

/** Expects equal frames both ways; returns the mean share of rows. */
const expectEqual = async (page: string, format: FrameFormat, options: TakeOptions = {}): Promise<number> => {
  const changed = await takeRows(page, format, false, options)
  const whole = await takeRows(page, format, true, options)
  expect(whole.shares).toEqual(WHOLE.map(() => 1))
  expect(changed.frames).toHaveLength(FRAMES)
  for (const [place, { data }] of whole.frames.entries()) {
    const index = WHOLE[place] ?? 0
    expect(Buffer.compare(data, changed.frames[index]?.data ?? new Uint8Array()), `frame ${index}`).toBe(0)
  }
  return changed.shares.reduce((sum, share) => sum + share, 0) / FRAMES
}

/** Words near the top, and a bar near the bottom that grows; between them nothing changes. */
const farApart = pageOf(
  `<p id="words" style="position:absolute;left:20px;top:4px;margin:0;font:16px sans-serif"></p>
   <b id="bar" style="position:absolute;left:0;bottom:8px;height:6px;background:#08f"></b>
   <i style="position:absolute;left:60px;top:60px;width:80px;height:50px;background:linear-gradient(red,#00f8)"></i>
   <script>addEventListener('vid-seek', ({ detail }) => {
     const frame = Math.round(detail.time * 30)
     words.textContent = 'frame ' + Math.floor(frame / 2)
     bar.style.width = frame * 11.3 + 'px'
   })</script>`,
  '#root { background: none }',
)

test.each([
  ['yuv420p', {}],
  ['rgba', {}],
  ['yuva420p', { alpha: true }],
  ['rgba', { alpha: true }],
  ['yuv420p', { scale: 1.5 }],
  ['rgba', { scale: 1.003125 }],
] as const)('frames of %s hold only the rows that changed, and all their pixels: %j', async (format, options) => {
  expect(await expectEqual(farApart, format, options)).toBeLessThan(0.5)
})

/** The same numbers below `limit` for each seed. */
const createDice = (seed: number) => {
  let state = Math.imul(seed + 1, 2654435761) >>> 0
  return (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** Boxes in several styles that move, change or come and go, each in its own frames. */
const randomPage = (seed: number): string => {
  const dice = createDice(seed)
  const colour = () => `rgb(${dice(256)} ${dice(256)} ${dice(256)} / ${dice(2) ? 1 : dice(100) / 100})`
  const styles = [
    () => `background:${colour()}`,
    () => `background:linear-gradient(${dice(360)}deg,${colour()},${colour()})`,
    () => `box-shadow:${dice(9)}px ${dice(9)}px ${dice(24)}px ${colour()}`,
    () => `border:${dice(5)}px solid ${colour()};border-radius:${dice(40)}px`,
    () => `filter:blur(${dice(5)}px)`,
    () => `opacity:.${1 + dice(9)}`,
    () => `mix-blend-mode:${['multiply', 'difference', 'screen'][dice(3)]}`,
    () => `rotate:${dice(360)}deg`,
    () => `overflow:hidden;clip-path:inset(${dice(12)}px)`,
  ]
  const motions = [
    () => `element.style.translate = frame * ${dice(80) / 10 - 4} + 'px ' + frame * ${dice(40) / 10 - 2} + 'px'`,
    () => `element.style.transform = 'scale(' + (1 + frame / ${10 + dice(40)}) + ')'`,
    () => `element.style.background = frame > ${dice(FRAMES)} ? '${colour()}' : '${colour()}'`,
    () => `element.hidden = frame % ${2 + dice(5)} === 0`,
    () => `element.textContent = 'text ' + Math.floor(frame / ${1 + dice(4)})`,
    () => `element.style.rotate = frame * ${dice(20)} + 'deg'`,
    () => '',
  ]
  const pick = (choices: readonly (() => string)[]) => choices[dice(choices.length)]?.() ?? ''
  const boxes = Array.from({ length: 2 + dice(7) }, () => {
    const place = `left:${dice(width)}px;top:${dice(height)}px;width:${5 + dice(120)}px;height:${5 + dice(80)}px`
    return {
      style: `position:absolute;${place};${styles[0]?.()};${pick(styles)};${pick(styles)}`,
      motion: pick(motions),
      from: dice(FRAMES),
    }
  })
  return pageOf(
    `${boxes.map(({ style }) => `<b class="box" style="${style}">text</b>`).join('')}
     <script>const boxes = [...document.querySelectorAll('.box')]
     addEventListener('vid-seek', ({ detail }) => {
       const frame = Math.round(detail.time * 30)
       ${boxes.map(({ motion, from }, index) => `if (frame >= ${from}) { const element = boxes[${index}]; ${motion} }`).join('\n')}
     })</script>`,
    `#root { background: ${colour()} } .box { font: 14px sans-serif }`,
  )
}

test(`the frames of ${PAGES} random pages are equal both ways`, { timeout: 60_000 + PAGES * 10_000 }, async () => {
  for (let seed = 0; seed < PAGES; seed++) {
    const format = seed % 2 ? 'rgba' : 'yuv420p'
    expect(await expectEqual(randomPage(seed), format), `page ${seed}`).toBeGreaterThan(0)
    if (PAGES > 50 && seed % 50 === 49) console.log(`${seed + 1} of ${PAGES} pages`)
  }
})

test('a frame that is shown alone is read as a whole, also after another of which little differs', async () => {
  const { session } = await openSession(farApart, { lane: 'raster', alpha: true })
  const plan = { media: [], frames: FRAMES } as unknown as RenderPlan
  const taken = await take((await openSession(farApart, { lane: 'raster', alpha: true })).session, 0, 5, 'rgba')
  for (const frame of [3, 4]) {
    const pixels = await (await session.showPixels?.(frame, plan))?.pixels()
    expect(Buffer.compare(pixels ?? new Uint8Array(), taken[frame]?.data ?? new Uint8Array()), `frame ${frame}`).toBe(0)
  }
})
