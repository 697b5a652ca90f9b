import { expect, test } from 'vitest'
import { openSession, pageOf } from '../fixtures/session.ts'
import { comparedFrame } from './callback-rate.ts'

const BOX = '<i id="box" style="position:absolute;top:60px;width:40px;height:40px;background:#36c"></i>'

/** A page whose loop runs `body` in each call, with its `time` in milliseconds and a place `x` that it keeps. */
const loopOf = (body: string, attributes = '') =>
  pageOf(`${BOX}<script>{
    let x = 0, last = 0
    const place = () => { box.style.left = Math.abs((x % 500) - 250) + 'px' }
    const loop = (time) => { ${body}; requestAnimationFrame(loop) }
    requestAnimationFrame(loop)
  }</script>`).replace('data-no-timeline', `data-no-timeline ${attributes}`)

/** The messages of a probe that say how a loop moves. */
const saidOf = async (page: string, options: Parameters<typeof openSession>[1] = {}) => {
  const { session, warnings } = await openSession(page, options)
  await session.probe()
  return warnings.flatMap(({ code, message }) => (code === 'VID_PAGE_DIFFERS' ? [message] : []))
}

const counting = {
  'never reads the time': 'x += 4; place()',
  'hands its time on and moves by a step': 'place(time); x += 4',
  'waits for the time of a frame of 60 in a second, as sketches do':
    'if (time - last > 1000 / 60 - 5) { last = time; x += 4; place() }',
  'comes nearer by a part in each call': 'x += (200 - x) * 0.05; place()',
}

test.each(Object.entries(counting))('a loop that %s is said to count its calls', async (_name, body) => {
  expect(await saidOf(loopOf(body))).toEqual([
    expect.stringMatching(/moves by the number of its calls: 30 in a second here, 60 .* after 0\.3 s .* dB PSNR/),
  ])
})

const alike = {
  'draws from the time': 'x = time / 5; place()',
  'adds what the time has passed': 'x += (time - last) / 5; last = time; place()',
  'draws by chance': "box.style.background = 'rgb(' + [0, 0, 0].map(() => Math.random() * 255) + ')'",
  'limits itself to 30 frames in a second': 'if (time - last > 1000 / 30 - 5) { last = time; x += 4; place() }',
  'shows nothing of what it counts': 'x += 4',
}

test.each(Object.entries(alike))('nothing is said of a loop that %s', async (_name, body) => {
  expect(await saidOf(loopOf(body))).toEqual([])
})

test('nothing is said where callbacks are called as a window does', async () => {
  expect(await saidOf(loopOf(counting['never reads the time'], 'data-refresh-rate="60"'))).toEqual([])
  expect(await saidOf(loopOf(counting['never reads the time']), { fps: 60 })).toEqual([])
})

test('a page is tried again once a file of it has changed', async () => {
  const page = pageOf(`${BOX}<script src="loop.js"></script>`)
  const loop = (left: string) =>
    `let n = 0; const loop = (time) => { n += 1; box.style.left = ${left} + 'px'; requestAnimationFrame(loop) }; loop(0)`
  const saidWith = async (left: string) => {
    const { session, warnings } = await openSession({ 'index.html': page, 'loop.js': loop(left) })
    await session.probe()
    return warnings.filter(({ code }) => code === 'VID_PAGE_DIFFERS').length
  }
  expect(await saidWith('4 * n')).toBe(1)
  expect(await saidWith('time / 8')).toBe(0)
})

test('a loop that counts is found in each lane', async () => {
  for (const lane of ['raster', 'begin-frame', 'screenshot'] as const)
    expect(await saidOf(loopOf(`x += 5; place('${lane}')`), { lane }), lane).toHaveLength(1)
})

test.each([
  [30, 8],
  [24, 6],
  [25, 10],
  [50, 15],
  ['30000/1001', 8],
  [1, 1],
  [5, 2],
] as const)('callbacks of both rates are due at the frame that is compared, at %j', (fps, frame) => {
  expect(comparedFrame(fps)).toBe(frame)
})

test.each([
  [30, 2],
  [24, 2],
  [25, 5],
] as const)('at %j, it is one of the first where each takes long', (fps, frame) => {
  expect(comparedFrame(fps, true)).toBe(frame)
})
