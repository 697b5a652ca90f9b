import { expect, test } from 'vitest'
import { changingPage, psnrOf, takeBoth } from '../../fixtures/pictures.ts'
import { height, openSession, width } from '../../fixtures/session.ts'

const MOVING = '@keyframes move{from{transform:none;opacity:1}to{transform:rotate(40deg) scale(1.5);opacity:.4}}'

/** A page whose body is the root, with a box in it. */
const bodyPage = (style: string): string =>
  `<!doctype html><html style="height:100%"><meta charset="utf-8"><style>html{background:#cde} p{background:#8f8} ${MOVING}
   body{font:20px/1.2 sans-serif} ${style}</style>
   <body id="root" data-composition-id="root" data-width="${width}" data-height="${height}" data-duration="4"><p>one</p><b>two</b></body></html>`

const FRAMES = 5

test.each([
  ["body::before{content:'';position:absolute;inset:0;z-index:-1;background:linear-gradient(45deg,red,#00f8)}"],
  ["body::after{content:'Grüße';position:fixed;right:9px;bottom:5px;font:italic 30px serif;color:#00c}"],
  ["body::before{content:'';position:fixed;inset:20px 40px;border:5px dashed #c0c;border-radius:50%}"],
  [
    'body{position:relative;padding:12px} body::after{content:attr(id);position:absolute;top:50%;left:50%;width:40%;translate:-50% 0;background:#fffa}',
  ],
  [
    "body{height:100%} body::before{content:'';position:absolute;inset:10%;background:#f80;animation:move .2s linear infinite alternate}",
  ],
  [
    "body::before,body::after{content:'x';position:absolute;left:30%;top:20%;background:#ff0} body::after{left:60%;mix-blend-mode:multiply;animation:move .15s}",
  ],
])('generated content of the body lies where a screenshot shows it: %s', async (style) => {
  const { raster, screenshots, warnings } = await takeBoth(bodyPage(style), FRAMES)
  for (const [frame, picture] of raster.entries())
    expect(await psnrOf(picture, screenshots[frame]), `frame ${frame}`).toBeGreaterThan(
      /move|radius/.test(style) ? 45 : 1000,
    )
  expect(warnings).toEqual([])
})

test('generated content that comes and goes in the middle is in the frames that have it', async () => {
  const page = changingPage(
    "<style>body.on::before{content:'';position:absolute;inset:0 50% 0 0;z-index:9;background:#f00}</style>",
    "document.body.className = frame > 1 && frame < 4 ? 'on' : ''",
  )
  const { raster, screenshots } = await takeBoth(page, 6)
  for (const [frame, picture] of raster.entries()) expect(await psnrOf(picture, screenshots[frame])).toBe(Infinity)
  expect(await psnrOf(raster[1], raster[2])).toBeLessThan(20)
})

test.each([
  ['<html>::before', "html::before{content:'';position:absolute}"],
  ['::before', "body::before{content:'in the flow'}"],
  ['::after', "body::after{content:'';position:absolute;backdrop-filter:blur(2px)}"],
  ['::after', 'body::after{content:counter(n);position:absolute}'],
  ['perspective on <html>', 'html{perspective:300px}'],
])('a page with %s is left to another lane: %s', async (reason, style) => {
  await expect(openSession(bodyPage(style), { lane: 'raster' })).rejects.toMatchObject({
    code: 'VID_LANE_UNFIT',
    message: expect.stringContaining(reason),
  })
})

test.each([
  ['body{perspective:300px} b{display:block;transform:rotateY(50deg)}'],
  ['body{perspective:300px;perspective-origin:10% 80%;height:100%} p{transform:translateZ(-90px) rotateX(30deg)}'],
  ['body{perspective:200px;position:relative} b{position:absolute;right:40px;bottom:20px;transform:rotateY(-60deg)}'],
])('the perspective of the body turns what is in it as in a screenshot: %s', async (style) => {
  const { raster, screenshots, warnings } = await takeBoth(bodyPage(style), 1)
  // A screenshot smooths text on a layer that is turned.
  expect(await psnrOf(raster[0], screenshots[0])).toBeGreaterThan(40)
  expect(warnings).toEqual([])
})
