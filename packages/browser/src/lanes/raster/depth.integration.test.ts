import { expect, test } from 'vitest'
import { changingPage, expectAlike, psnrOf, takeBoth } from '../../fixtures/pictures.ts'
import { openSession, pageOf, take } from '../../fixtures/session.ts'

const card =
  'position:absolute;left:60px;top:40px;width:120px;height:80px;border-radius:12px;background:#fa0;font:24px serif'

const moving = `<div style="${card};animation:move 1s linear">text</div>`

const movement = `#root { background: linear-gradient(45deg, #cde, #fed 50%, #246) }
  @keyframes move { to { transform: translate(83.7px, 21.3px) rotate(9deg) } }`

/** The likeness of each frame in the raster lane to its screenshot. */
const likenesses = async (page: string, frames: number): Promise<number[]> => {
  const { raster, screenshots } = await takeBoth(page, frames)
  expect(raster).toHaveLength(frames)
  return Promise.all(raster.map((frame, index) => psnrOf(frame, screenshots[index])))
}

test.each([
  `<div style="transform-style:preserve-3d;transform:rotate(5deg)"><b style="${card};transform:rotate(4deg)">a</b></div>`,
  `<div style="transform-style:preserve-3d"><b style="${card};transform:translateZ(0) rotate(4deg)">a</b></div>`,
  `<b style="${card};backface-visibility:hidden;transform:translate(3.3px,4.7px) rotate(5deg)">a</b>`,
  `<div style="perspective:500px">${moving}</div>`,
  `<div style="transform-style:preserve-3d">${moving}<b style="${card};left:90px;backface-visibility:hidden">b</b></div>`,
])('depth where nothing is turned changes no pixel in any frame: %s', async (content) => {
  expect(new Set(await likenesses(pageOf(content, movement), 12))).toEqual(new Set([Infinity]))
})

test('an element without depth still holds what is placed in it, and is a stacking context', async () => {
  const page = pageOf(
    `<div style="margin:30px;transform-style:preserve-3d"><i style="position:fixed;right:0;width:40px;height:40px;background:red"></i>
     <i style="position:absolute;z-index:-1;left:9px;width:70px;height:70px;background:blue"></i>text</div>`,
  )
  expect(await likenesses(page, 1)).toEqual([Infinity])
})

test('depth comes back when an element is turned', async () => {
  const page = changingPage(
    `<div style="transform-style:preserve-3d"><b style="${card};backface-visibility:hidden">front</b></div>`,
    `document.querySelector('b').style.transform = frame < 3 ? '' : 'rotateY(180deg)'`,
  )
  const { session, warnings } = await openSession(page)
  const frames = await take(session, 0, 6, 'rgba', 'png')
  const hashes = frames.map(({ data }) => Buffer.from(data).toString('base64'))
  expect(new Set(hashes.slice(0, 3)).size).toBe(1)
  expect(new Set(hashes.slice(3)).size).toBe(1)
  const { session: empty } = await openSession(pageOf(''))
  const [blank] = await take(empty, 0, 1, 'rgba')
  expect(await psnrOf(frames[5], blank)).toBe(Infinity)
  expect(await psnrOf(frames[2], blank)).toBeLessThan(20)
  expect(warnings).toEqual([])
})

const face = 'position:absolute;left:0;top:0;width:80px;height:80px;font:40px serif'

const turns = ['', 'rotateY(90deg)', 'rotateY(180deg)', 'rotateY(270deg)', 'rotateX(90deg)', 'rotateX(270deg)']

const facesOf = (transforms: readonly string[]) =>
  transforms
    .map((turn, index) => `<i style="${face};background:hsl(${index * 60} 80% 50%);transform:${turn}">${index}</i>`)
    .join('')

const inSpace = (content: string, style = '') =>
  `<div style="position:absolute;left:110px;top:45px;perspective:450px">
   <div style="width:80px;height:80px;transform-style:preserve-3d;${style}">${content}</div></div>`

test.each([
  ['a card that turns', `<div style="${card};animation:turn 1s linear">text</div>`],
  [
    'a card that turns in perspective',
    `<div style="perspective:500px"><div style="${card};animation:turn 1s linear">text</div></div>`,
  ],
  [
    'a card with two sides',
    inSpace(
      `<i style="${face};backface-visibility:hidden;background:#fa0">front</i><i style="${face};backface-visibility:hidden;background:#08f;transform:rotateY(180deg)">back</i>`,
      'animation:turn 1s linear',
    ),
  ],
  ['a cube', inSpace(facesOf(turns.map((turn) => `${turn} translateZ(40px)`)), 'animation:spin 1s linear')],
  [
    'a ring of cards',
    inSpace(
      facesOf([0, 72, 144, 216, 288].map((angle) => `rotateY(${angle}deg) translateZ(80px)`)),
      'animation:spin 1s linear',
    ),
  ],
  [
    'a tilted scene',
    `<div style="perspective:800px"><div style="transform-style:preserve-3d;transform:rotateX(20deg) rotateY(-20deg);width:300px;height:170px;background:#fff">
     <p style="position:absolute;left:40px;top:30px;transform:translateZ(60px)">title</p><div style="${card};transform:translateZ(30px)">text</div></div></div>`,
  ],
  [
    'a turned element in a turned one that is flat',
    `<div style="perspective:500px"><div style="${card};transform:rotateY(40deg)">a<i style="${card};left:10px;top:20px;background:#08f;transform:rotateX(50deg)">b</i></div></div>`,
  ],
  [
    'words that swing',
    `<h1 style="perspective:400px">${['some', 'words', 'here'].map((word, index) => `<span style="display:inline-block;transform-origin:50% 100%;animation:swing 1s ${index / 9}s both">${word}</span>`).join(' ')}</h1>`,
  ],
  [
    'cards with levels, of which the lowest is nearest',
    inSpace(
      [60, 0, -60]
        .map(
          (z, index) =>
            `<i style="${face};left:${index * 20}px;z-index:${index};background:hsl(${index * 90} 80% 50%);transform:translateZ(${z}px)">${index}</i>`,
        )
        .join(''),
      'animation:swing 1s linear',
    ),
  ],
  [
    'cards in the flow',
    inSpace(
      [60, 0, -60]
        .map(
          (z) =>
            `<i style="display:block;margin-bottom:-50px;width:80px;height:80px;background:hsl(${z + 60} 80% 50%);transform:translateZ(${z}px)">${z}</i>`,
        )
        .join(''),
      'animation:spin 1s linear',
    ),
  ],
  [
    'cards in a row',
    inSpace(
      [60, 0, -60]
        .map(
          (z) =>
            `<i style="flex:none;margin-right:-40px;width:80px;height:80px;background:hsl(${z + 60} 80% 50%);transform:translateZ(${z}px)">${z}</i>`,
        )
        .join(''),
      'display:flex;animation:spin 1s linear',
    ),
  ],
  [
    'cards that are moved and turned by properties of their own',
    inSpace(
      [0, 1, 2]
        .map(
          (index) =>
            `<i style="${face};background:hsl(${index * 90} 80% 50%);rotate:y ${index * 40 - 40}deg;translate:${index * 30 - 30}% calc(10% - 4px) ${60 - index * 60}px;scale:0.8 0.9">${index}</i>`,
        )
        .join(''),
      'animation:sway 1s linear',
    ),
  ],
  [
    'a space with content of its style',
    inSpace(
      `<i class="badge" style="${face};background:#fa0;transform:translateZ(30px)">front</i><i style="${face};left:40px;background:#08f;transform:translateZ(10px)">back</i>`,
      'animation:sway 1s linear',
    ).replace('<div style="width', '<div class="badge" style="background:#fff;width'),
  ],
  [
    'what lies over a layer that a style asks for',
    `<div style="${card};transform:rotate(-4deg) scale(0.8)"><div style="width:100px;height:60px;background:#08f;will-change:transform;animation:move 1s linear">layer</div>
     <div style="${card};left:20px;top:10px;background:#d42;animation:move 0.6s steps(5)">text</div></div>`,
  ],
  [
    'a side that is hidden by the turn of what holds it',
    `<div style="perspective:500px"><div style="${card};transform-style:preserve-3d;animation:turn 1s linear"><i style="${face};backface-visibility:hidden;background:#08f">a</i><i style="${face};left:90px;background:#0a4">b</i></div></div>`,
  ],
  [
    'a hidden back in a flat element that turns',
    `<div style="perspective:500px"><div style="${card};animation:turn 1s linear"><i style="${face};backface-visibility:hidden;background:#08f;transform:rotateY(30deg)">a</i></div></div>`,
  ],
  [
    'what an animation turns and scales',
    `<div style="${card};transform:rotate(30deg) scale(1.36);animation:slant 1s both">text</div>`,
  ],
])('%s is drawn as in a screenshot, in every frame', async (_name, content) => {
  const style = `${movement} @keyframes turn { to { transform: rotateY(180deg) rotateX(20deg) } }
    @keyframes spin { from { transform: rotateX(-15deg) rotateY(3deg) } to { transform: rotateX(-15deg) rotateY(343deg) } }
    .badge::after { content: 'new'; position: absolute; left: 30px; top: 20px; background: red }
    @keyframes slant { to { transform: skewX(4deg) } }
    @keyframes sway { from { rotate: x -30deg } to { rotate: 1 1 0 70deg; translate: 20% 0 30px } }
    @keyframes swing { from { transform: rotateX(-90deg); opacity: 0 } }`
  await expectAlike(pageOf(content, style), 30)
})

test('no page is judged by the text of its scripts', async () => {
  const page = `${pageOf(moving, movement)}<script>// rotateX rotationY preserve-3d backdrop-filter matrix3d</script>`
  const { session, warnings } = await openSession(page)
  expect((await take(session, 0, 3, 'rgba', 'png')).map(({ format }) => format)).toEqual(['rgba', 'rgba', 'rgba'])
  expect(warnings).toEqual([])
})
