import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brightMiddle, greyFrames } from '../support/pixels.ts'
import { here, scratch, vidInProcess as vid } from '../support/vid.ts'

// Where the middle of each 20 px box of `projects/clockwork` must be at frame n of 30 a second.
const swing = (seconds: number, period: number) => Math.abs(((seconds + period) % (2 * period)) - period)
const expected: Record<number, (frame: number) => number> = {
  20: (frame) => 2 * frame,
  50: (frame) => 10 * Math.floor((frame / 30 + 1e-9) / 0.25),
  80: (frame) => 100 * swing(frame / 30, 2),
  110: (frame) => 50 * (frame / 30),
  140: (frame) => 100 * swing(frame / 30, 1),
  170: (frame) => 20 * Math.floor((frame / 30 + 1e-9) / 0.5),
}

test.each(['1', '3'])('pages that are driven by the clock show the right picture with %s workers', async (workers) => {
  const output = join(await scratch(), 'out.mp4')
  const run = await vid(['render', here('projects/clockwork'), '-o', output, '-w', workers])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const frames = await greyFrames(output)
  expect(frames).toHaveLength(120)
  const wrong = frames.flatMap((pixels, frame) =>
    Object.entries(expected).flatMap(([row, place]) => {
      const middle = brightMiddle(pixels, Number(row))
      const expected = Math.min(place(frame), 300) + 9.5
      return Math.abs(middle - expected) <= 1.5
        ? []
        : [`frame ${frame}, row ${row}: at ${middle}, expected ${expected}`]
    }),
  )
  expect(wrong).toEqual([])
})
