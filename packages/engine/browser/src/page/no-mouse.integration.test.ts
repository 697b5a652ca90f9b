import { expect, test } from 'vitest'
import { formatsOf, openSession, pageOf, pixelAt, pixelsOf, take } from '../fixtures/session.ts'

/** A corner that turns blue under a mouse, or once one has moved. */
const CORNER = pageOf(
  `<i id="corner"></i><script>
     addEventListener('mousemove', () => { corner.style.background = 'blue' }, true)
   </script>`,
  '#corner { position: absolute; inset: 0 auto auto 0; width: 100px; height: 100px; background: red } #corner:hover { background: blue }',
)

test.each(['raster', 'begin-frame', 'screenshot'] as const)('no page sees a mouse, in the lane %s', async (lane) => {
  const { session } = await openSession(CORNER, { lane })
  const corners = (await take(session, 0, 40, ...formatsOf(lane))).map(async (frame) =>
    pixelAt(await pixelsOf(frame), 5, 5),
  )
  for (const corner of await Promise.all(corners)) expect(corner.slice(0, 3)).toEqual([255, 0, 0])
})
