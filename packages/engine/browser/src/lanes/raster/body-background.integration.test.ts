import { comparePictures } from '@vid/runtime'
import { expect, test } from 'vitest'
import { height, openSession, pageOf, pixelsOf, take, width } from '../../fixtures/session.ts'

const picture = (colour: string, size: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="100%" height="100%" fill="${colour}"/><circle cx="40%" cy="30%" r="25%" fill="#fff"/><path d="M0 0L30 44" stroke="#000" stroke-width="3"/></svg>`

const RED = [0xbb, 0x33, 0x55]
const BLUE = [0x33, 0x55, 0xbb]

const FILES = {
  'styles/tile.svg': picture('#b35', 'width="47" height="31"'),
  'styles/whole.svg': picture('#35b', 'width="400" height="300"'),
  'styles/back.css': 'body { background: url(tile.svg) 5px 7px }',
}

/** Frames of a page whose pictures change at the fourth. */
const FRAMES = 8

/** Content that moves over the background, and a class that the page has from a frame on. */
const content = `<b style="position:absolute;left:0;top:0;width:60px;height:40px;background:#fc08"></b>
<script>addEventListener('vid-seek', ({ detail }) => {
  const frame = Math.round(detail.time * 30)
  document.querySelector('b').style.translate = frame * 9 + 'px ' + frame * 4 + 'px'
  document.documentElement.classList.toggle('later', frame >= 4)
})</script>`

test.each<[name: string, style: string]>([
  ['of a body', 'body { background: url(styles/tile.svg) }'],
  ['of a style sheet in another folder', '</style><link rel="stylesheet" href="styles/back.css"><style>'],
  ['that covers', 'body { background: #123 url(styles/whole.svg) center / cover no-repeat }'],
  [
    'in layers',
    'body { background: url(styles/tile.svg) right 10px bottom 20% no-repeat, linear-gradient(#cde, #fed) }',
  ],
  ['of a set', 'body { background-image: image-set(url(styles/tile.svg) 1x, url(styles/whole.svg) 2x) }'],
  ['of html', 'html { background: url(styles/whole.svg) 0 0 / 100% 100% }'],
  [
    'of html below that of a body',
    'html { background: url(styles/tile.svg) } body { height: 60%; background: url(styles/whole.svg) center / contain no-repeat }',
  ],
  [
    'that becomes another',
    'body { background: url(styles/tile.svg) } .later body { background: url(styles/whole.svg) }',
  ],
  ['that is there later', '.later body { background: url(styles/whole.svg) center }'],
  [
    'that moves',
    '@keyframes slide { to { background-position: 94px 31px } } body { background: url(styles/tile.svg); animation: slide .3s linear }',
  ],
])('the picture %s is captured with the page, as by screenshots', async (_name, style) => {
  const files = { ...FILES, 'index.html': pageOf(content, `#root { background: none } ${style}`) }
  const [fast, slow] = await Promise.all([
    openSession(files, { lane: 'raster' }),
    openSession(files, { lane: 'screenshot' }),
  ])
  const frames = await take(fast.session, 0, FRAMES, 'rgba')
  const shots = await take(slow.session, 0, FRAMES, 'png')
  const shape = { width, height, planar: false, smoothed: true }
  for (const [index, frame] of frames.entries()) {
    const [one, other] = await Promise.all([frame, shots[index] ?? frame].map(pixelsOf))
    const { psnr, worstBlock } = comparePictures(one ?? new Uint8Array(), other ?? new Uint8Array(), shape)
    expect({ like: (psnr ?? Infinity) > 50, worstBlock: worstBlock < 20 }, `frame ${index}`).toEqual({
      like: true,
      worstBlock: true,
    })
  }
  const last = await pixelsOf(frames.at(-1) as (typeof frames)[number])
  const has = ([r, g, b]: readonly number[]) =>
    Array.from({ length: width * height }, (_, at) => at * 4).some(
      (at) => last[at] === r && last[at + 1] === g && last[at + 2] === b,
    )
  expect([RED, BLUE].some(has), 'the picture is there').toBe(true)
  expect(fast.warnings).toEqual([])
})
