import type { SegmentSlice } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import { expect, test } from 'vitest'
import { changingPage, DRAWN_WRONGLY } from '../fixtures/pictures.ts'
import { changePort, height, makeProject, openSession, take, width } from '../fixtures/session.ts'

const FRAMES = 110
const segment = { index: 0, start: 0, frames: FRAMES }
const plan = { fps: 30, width, height, frames: FRAMES, media: [], audio: [] } as unknown as RenderPlan
const box = 'position:absolute;left:40px;top:30px;width:100px;height:80px;background:#fa0'

/** A session of a page, with the frames that it compares. */
const openCompared = async (projectDir: string) => {
  const compared: number[] = []
  const driver = changePort(({ send, on }) => ({
    on,
    send(method, params) {
      const [, frame] = /raster\.compare\((\d+)/.exec(String(params?.expression)) ?? []
      if (frame !== undefined) compared.push(Number(frame))
      return send(method, params)
    },
  }))
  return { ...(await openSession({}, { projectDir, driver })), compared }
}

/** Something happens in a few frames, and goes on for some: only its beginning counts. */
const eventful = changingPage(
  `<b style="${box}"></b><p data-start="1" data-duration="0.5">clip</p>`,
  `document.querySelector('b').style.left = frame + 'px'
   for (const each of document.querySelectorAll('i')) each.remove()
   if (frame >= 60 && frame < 70) root.append(document.createElement('i'))
   document.querySelector('b').style.transform = frame >= 80 ? 'rotateY(20deg)' : ''`,
)

test('frames in which something happens are compared, and the same by pages that capture slices', async () => {
  const projectDir = await makeProject({ 'index.html': eventful })
  const whole = await openCompared(projectDir)
  for await (const _frame of whole.session.frames(segment, ['rgba'], plan));
  expect(whole.compared).toEqual(expect.arrayContaining([0, 30, 45, 60, 80, FRAMES - 1]))
  expect(whole.compared).toHaveLength(7)
  const sliced: number[] = []
  for (const starts of [
    [0, 24, 60, 66],
    [13, 52, 61, 81],
  ]) {
    const { session, compared } = await openCompared(projectDir)
    const ends = starts.map((start) => [0, 13, 24, 52, 60, 61, 66, 81, FRAMES].find((end) => end > start) ?? FRAMES)
    for (const [index, start] of starts.entries()) {
      const slice: SegmentSlice = { segment, end: () => ends[index] ?? FRAMES }
      for await (const _frame of session.slice?.(start, slice, ['rgba'], plan) ?? []);
    }
    sliced.push(...compared)
  }
  expect(sliced.sort((a, b) => a - b)).toEqual(whole.compared)
})

test.each([
  [
    'a rule',
    `const [sheet] = document.styleSheets; if (isOn !== isIn) { if (isOn) sheet.insertRule(RULE); else sheet.deleteRule(0) }; isIn = isOn`,
  ],
  ['an attribute', `document.querySelector('b').toggleAttribute('data-on', isOn)`],
  [
    'an element',
    `document.querySelector('b').remove(); root.append(Object.assign(document.createElement('b'), { style: '${box}', className: isOn ? 'on' : '' }))`,
  ],
])('a fault of one frame that %s brings in the middle of a segment is found', async (_, change) => {
  const page = changingPage(
    `<b style="${box}"></b><style>${DRAWN_WRONGLY.replace('b::', 'b[data-on]::')} ${DRAWN_WRONGLY.replace('b::', 'b.on::')}</style>
     <script>let isIn = false; const RULE = '${DRAWN_WRONGLY}'</script>`,
    `const isOn = frame === 37; ${change}`,
  )
  const { session, warnings } = await openSession(page)
  await expect(take(session, 0, FRAMES, 'rgba', 'png')).rejects.toMatchObject({
    code: 'VID_LANE_UNFIT',
    message: expect.stringContaining('frame 37 '),
  })
  expect(warnings).toEqual([expect.objectContaining({ code: 'VID_LANE_FALLBACK' })])
})
