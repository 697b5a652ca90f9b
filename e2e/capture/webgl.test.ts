import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { frameHashes } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { colourFrames } from '../support/colours.ts'
import { brightMiddle, greyFrames } from '../support/pixels.ts'
import { here, scratch, vidInProcess as vid } from '../support/vid.ts'

const WIDTH = 192
const FRAMES = 6
/** The row in the middle. */
const ROW = 54

/** Renders a page without loss with each number of workers, which must show the same, and gives the first file. */
const renderPage = async (page: string, allWorkers: readonly string[] = ['1', '2']): Promise<string> => {
  const project = join(await scratch(), 'project')
  await cp(here('projects/webgl'), project, { recursive: true })
  await writeFile(join(project, 'vid.config.mjs'), 'export default { render: { segmentFrames: 3 } }')
  const outputs: string[] = []
  for (const workers of allWorkers) {
    const output = join(project, `${page}-${workers}.mp4`)
    const flags = ['-o', output, '-w', workers, '--crf', '0', '--no-cache']
    const run = await vid(['render', project, '-c', `${page}.html`, ...flags])
    expect(run, run.stderr).toMatchObject({ code: 0 })
    expect(run.stderr).not.toMatch(/VID_LANE_FALLBACK/)
    outputs.push(output)
  }
  const [one = [], ...others] = await Promise.all(outputs.map((output) => frameHashes(output)))
  for (const other of others) expect(other).toEqual(one)
  expect(new Set(one).size, 'each frame shows another picture').toBe(FRAMES)
  return outputs[0] ?? ''
}

const pixel = (frame: Uint8Array, x: number): number[] => [
  ...frame.subarray((ROW * WIDTH + x) * 3, (ROW * WIDTH + x) * 3 + 3),
]

test('a shader goes over from one texture to another, a sixth of the width each frame', async () => {
  const frames = await colourFrames(await renderPage('transitions'))
  const isBlue = frames.map((frame) =>
    Array.from({ length: FRAMES }, (_, part) => {
      const [red = 0, , blue = 0] = pixel(frame, 16 + part * 32)
      return blue > red
    }),
  )
  expect(isBlue).toEqual(
    Array.from({ length: FRAMES }, (_, frame) => Array.from({ length: FRAMES }, (_, part) => part < frame)),
  )
})

test('a ball that a fragment shader finds along rays is where the time of each frame puts it', async () => {
  const frames = await greyFrames(await renderPage('march'))
  const middles = frames.map((frame) => brightMiddle(frame, ROW, WIDTH))
  const wrong = middles.filter((middle, frame) => Math.abs(middle - (63.6 + frame * 10.8)) > 3)
  expect(wrong, `middles ${middles.join()}`).toEqual([])
})

longTest('a physical material with an environment and a shadow is seen', async () => {
  // Each page that is opened compiles the material for seconds.
  const frames = await colourFrames(await renderPage('phone', ['1']))
  for (const frame of frames) {
    const edge = pixel(frame, 2)
    const middle = pixel(frame, WIDTH / 2)
    const differs = middle.some((value, channel) => Math.abs(value - (edge[channel] ?? 0)) > 24)
    expect(differs, `${middle.join()} on ${edge.join()}`).toBe(true)
  }
})
