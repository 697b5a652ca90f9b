import { expect, test } from 'vitest'
import { partOf } from '../../../../../../scripts/dev/part-of.ts'
import { changingPage, expectAlike, psnrOf, takeBoth } from '../../fixtures/pictures.ts'
import { openSession, pageOf, take } from '../../fixtures/session.ts'

const glass =
  'position:absolute;left:120px;top:70px;width:150px;height:90px;border-radius:20px;border:1px solid #fff8;box-shadow:0 8px 20px #0008;background:#fff4'

const moving = `<div style="position:absolute;left:60px;top:40px;width:120px;height:80px;border-radius:12px;background:#fa0;font:24px serif;animation:move 1s linear">text</div>`

const movement = `#root { background: linear-gradient(45deg, #cde, #fed 50%, #246) }
  @keyframes move { to { transform: translate(83.7px, 21.3px) rotate(9deg) } }
  @keyframes drift { to { transform: translate(40px, 10px) } } @keyframes fade { from { opacity: 0 } }
  @keyframes turn { to { transform: rotate(60deg) } } @keyframes grow { from { transform: scale(0.6) } }`

test.each(
  partOf(
    [
      ['that stands', `${moving}<div style="${glass};backdrop-filter:blur(8px)">glass</div>`],
      ['that moves', `${moving}<div style="${glass};backdrop-filter:blur(8px);animation:drift 1s linear">glass</div>`],
      ['that fades', `${moving}<div style="${glass};backdrop-filter:blur(8px);animation:fade 1s linear">glass</div>`],
      ['that saturates', `${moving}<div style="${glass};backdrop-filter:blur(9px) saturate(1.8)">glass</div>`],
      ['over everything', `${moving}<div style="position:absolute;inset:0;backdrop-filter:blur(20px)"></div>`],
      [
        'over glass',
        `${moving}<div style="${glass};backdrop-filter:blur(8px)"></div><div style="${glass};left:90px;backdrop-filter:invert(1)"></div>`,
      ],
    ],
    3,
  ),
)('glass %s is drawn as in a screenshot, in every frame', async (_name, content) => {
  const { raster, screenshots } = await takeBoth(pageOf(content, movement), 6, 'raster', { fps: 15 })
  expect(raster).toHaveLength(6)
  for (const [index, frame] of raster.entries()) expect(await psnrOf(frame, screenshots[index])).toBeGreaterThan(45)
})

test.each(
  partOf(
    [
      [
        'glass that turns',
        `${moving}<div style="${glass};backdrop-filter:blur(8px);animation:turn 1s linear">glass</div>`,
      ],
      [
        'glass in what turns',
        `${moving}<div style="rotate:-8deg"><div style="${glass};backdrop-filter:blur(8px)">glass</div></div>`,
      ],
      ['what lies over glass', `<div style="${glass};backdrop-filter:blur(9px)">glass</div>${moving}`],
    ],
    2,
  ),
)('%s is drawn as in a screenshot, in ten frames of a second', async (_name, content) => {
  await expectAlike(pageOf(content, movement), 10, 10)
})

const colours = '#root { background: radial-gradient(circle at 30% 40%, #ff5f6d, #a044ff00 70%), #2193b0 }'

const boxOf = (size: string, look: string) => `<div style="position:absolute;left:60px;top:30px;${size};${look}"></div>`

/** Twice as large as the other. */
const large = (look: string) => boxOf('width:180px;height:100px', look)
const small = (look: string) => boxOf('width:90px;height:50px', look)

const inHalf = (content: string) =>
  `<div style="position:absolute;left:30px;top:15px;width:320px;height:180px;transform:scale(0.5);transform-origin:0 0">${content}</div>`

/** The picture of a page in the lane. */
const pictureOf = async (content: string) => {
  const { session } = await openSession(pageOf(content, colours), { lane: 'raster' })
  return (await take(session, 0, 1, 'rgba', 'png'))[0]
}

let empty: ReturnType<typeof pictureOf> | undefined

/** That of a page without glass, taken once for all tests. */
const emptyPicture = () => {
  empty ??= pictureOf('')
  return empty
}

test.each([
  ['by half', large('scale:0.5;transform-origin:0 0;backdrop-filter:blur(16px)'), small('backdrop-filter:blur(8px)')],
  ['to double', small('scale:2;transform-origin:0 0;backdrop-filter:blur(4px)'), large('backdrop-filter:blur(8px)')],
  [
    'in one direction',
    small('scale:2 1;transform-origin:0 0;backdrop-filter:invert(1)'),
    boxOf('width:180px;height:50px', 'backdrop-filter:invert(1)'),
  ],
  [
    'with its corners',
    large('scale:0.5;transform-origin:0 0;border-radius:20px;backdrop-filter:blur(16px) saturate(2)'),
    small('border-radius:10px;backdrop-filter:blur(8px) saturate(2)'),
  ],
  [
    'with what holds it',
    inHalf(large('backdrop-filter:blur(16px);opacity:0.7')),
    small('backdrop-filter:blur(8px);opacity:0.7'),
  ],
])('glass that is scaled %s has the pixels of glass of that size', async (_name, scaled, plain) => {
  const [one, other] = await Promise.all([scaled, plain].map(pictureOf))
  expect(await psnrOf(one, other)).toBe(Infinity)
  expect(await psnrOf(one, await emptyPicture())).toBeLessThan(65)
})

test('glass that grows stays in the lane, though a screenshot mirrors its backdrop elsewhere', async () => {
  const content = `${moving}<div style="${glass};backdrop-filter:blur(12px);animation:grow 0.1s linear both">glass</div>`
  const { raster, screenshots, warnings } = await takeBoth(pageOf(content, movement), 6, 'auto')
  expect(warnings).toEqual([])
  expect(raster.map(({ format }) => format)).toEqual(Array(6).fill('rgba'))
  // From here on it has its own size.
  expect(await psnrOf(raster[4], screenshots[4])).toBeGreaterThan(45)
})

test('glass that is drawn differently beside glass that is scaled is noticed', async () => {
  const stripes = '#root { background: repeating-linear-gradient(30deg, #e33 0 9px, #fff 9px 18px, #0af 18px 30px) }'
  const scaled = boxOf('width:40px;height:40px', 'scale:0.8;backdrop-filter:blur(8px)')
  const plain = `<div style="${glass};backdrop-filter:blur(8px)">glass</div>`
  expect((await takeBoth(pageOf(scaled, stripes), 1)).warnings).toEqual([])
  await expect(takeBoth(pageOf(scaled + plain, stripes), 1)).rejects.toMatchObject({ code: 'VID_LANE_UNFIT' })
})

test.each([
  [
    'by a script',
    "document.querySelector('#overlay').style.backdropFilter = 'blur(' + frame + 'px) invert(' + frame / 10 + ')'",
    '',
  ],
  ['by an animation', '', '#overlay { animation: haze 0.5s linear both }'],
])('glass that paints nothing shows each change of its filter %s', async (_name, change, style) => {
  const haze = `<style>${movement} @keyframes haze { to { backdrop-filter: blur(20px) invert(1) } } ${style}</style>`
  const overlay = '<div id="overlay" style="position:absolute;inset:0"></div>'
  const { raster, screenshots } = await takeBoth(changingPage(haze + overlay, change), 8)
  for (const [index, frame] of raster.entries()) expect(await psnrOf(frame, screenshots[index])).toBeGreaterThan(40)
})
