import { expect, test } from 'vitest'
import { openSession, pageOf, pixelAt, pixelsOf, take } from '../fixtures/session.ts'

const STYLE = `#root { background: #00f }
  @layer other; @layer first { .layered { visibility: visible !important } }
  #root #clip #specific#specific { visibility: visible !important }
  .before { background: none !important } .before::before { content: ''; position: absolute; inset: 0; background: #f00; visibility: visible }
  #clip > * { position: absolute; top: 0; width: 20px; height: 20px; background: #f00 }
  #after { position: absolute; top: 100px; left: 0; width: 20px; height: 20px; background: #0f0 }`

/** Ways in which a part of a clip asks to be visible; each has a square of its own. */
const PARTS = [
  '<b style="visibility:visible"></b>',
  '<b style="visibility:visible!important"></b>',
  '<b style="visibility: inherit"><i style="visibility: visible ! important; position:absolute; inset:0; background:#f00"></i></b>',
  '<b class="layered"></b>',
  '<b id="specific"></b>',
  '<b class="before"></b>',
  '<span id="host"></span>',
  '<b id="late"></b>',
  '<svg viewBox="0 0 20 20"><rect width="20" height="20" fill="#f00" style="visibility:visible!important"/></svg>',
]

const page = pageOf(
  `<div id="clip" data-start="0" data-duration="0.1" style="inset:0">${PARTS.join('')}</div><b id="after"></b><script>
  for (const [index, part] of [...clip.children].entries()) part.style.left = index * 30 + 'px'
  host.attachShadow({ mode: 'closed' }).innerHTML = '<i style="visibility:visible;position:absolute;inset:0;background:#f00"></i>'
  addEventListener('vid-seek', ({ detail }) => {
    if (detail.time > 0.15) late.style.setProperty('visibility', 'visible', 'important')
  })</script>`,
  STYLE,
)

test.each(['raster', 'screenshot'] as const)(
  'nothing of a clip outlives it, whatever its styles ask for (%s)',
  async (lane) => {
    const { session } = await openSession(page, { lane })
    const frames = await take(session, 0, 7, lane === 'raster' ? 'rgba' : 'png')
    for (const [index, frame] of frames.entries()) {
      const pixels = await pixelsOf(frame)
      const shown = PARTS.map((_, part) => pixelAt(pixels, part * 30 + 10, 10))
      expect([index, shown]).toEqual([index, PARTS.map(() => (index < 3 ? [255, 0, 0, 255] : [0, 0, 255, 255]))])
      expect(pixelAt(pixels, 10, 110)).toEqual([0, 255, 0, 255])
    }
  },
)

test('a clip is shown again as it was, also a part that was hidden in another way before', async () => {
  const back = pageOf(
    `<div data-start="0.1" style="inset:0;background:#fff"><b id="part" style="visibility:visible!important;position:absolute;left:0;top:0;width:20px;height:20px;background:#f00;clip-path:inset(0 10px 0 0)"></b></div>`,
    '#root { background: #00f }',
  )
  const { session } = await openSession(back, { lane: 'raster' })
  const frames = await take(session, 0, 5, 'rgba')
  const colours = await Promise.all(
    frames.map(async (frame) => {
      const pixels = await pixelsOf(frame)
      return [pixelAt(pixels, 5, 10), pixelAt(pixels, 15, 10)].map((pixel) => pixel.slice(0, 3).join())
    }),
  )
  expect(colours).toEqual([...Array(3).fill(['0,0,255', '0,0,255']), ...Array(2).fill(['255,0,0', '255,255,255'])])
})
