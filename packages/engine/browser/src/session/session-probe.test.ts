import { expect, test } from 'vitest'
import { openSession, pageOf } from '../fixtures/session.ts'

const sounding = (level: string) =>
  pageOf(`<audio id="sound" src="none.wav" data-start="0" data-duration="1"></audio>
<canvas width="1" height="1"></canvas>
<script>
  const context = document.querySelector('canvas').getContext('2d')
  addEventListener('vid-seek', ({ detail }) => {
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = 'rgb(0 0 0 / ' + detail.time + ')'
    context.fillRect(0, 0, 1, 1)
    sound.volume = ${level}
  })
</script>`)

test.each([
  ['what it computes', 'detail.time'],
  ['pixels that it has drawn', 'context.getImageData(0, 0, 1, 1).data[3] / 255'],
])('a probe has the volume that a script sets in each frame, from %s', async (_name, level) => {
  const { session } = await openSession(sounding(level))
  const { media } = await session.probe()
  const curve = media?.[0]?.volumeCurve ?? []
  expect(curve).toHaveLength(30)
  for (const [frame, volume] of curve.entries()) expect(volume).toBeCloseTo(frame / 30, 2)
})
