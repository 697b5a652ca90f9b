import { join } from 'node:path'
import { decodeFrames, frameHashes } from '@vid/ffmpeg'
import { gradeColour, readGrading } from '@vid/runtime'
import { expect, test } from 'vitest'
import { here, scratch, vidInProcess } from '../support/vid.ts'

const PATCH = [0xc8, 0x64, 0x28] as const

const graded = (grading: unknown): number[] => {
  const settings = readGrading(JSON.stringify(grading), {})
  const [red, green, blue] = PATCH
  if (!settings) return [red, green, blue]
  return gradeColour(settings, [red / 255, green / 255, blue / 255]).map((value) => value * 255)
}

/** Rendered pixels pass through the video's own colours, which round once more. */
const CLOSE = 6

const render = async (variables: object, workers: string) => {
  const output = join(await scratch(), 'out.mp4')
  const run = await vidInProcess([
    'render',
    here('projects/grading'),
    '-o',
    output,
    '-w',
    workers,
    '--crf',
    '0',
    '--variables',
    JSON.stringify(variables),
  ])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  return output
}

const patches = async (file: string): Promise<number[][]> => {
  for await (const frame of decodeFrames(file, { pixFmt: 'rgb24' }))
    return [60, 160, 260].map((x) => [...frame.subarray((60 * 320 + x) * 3, (60 * 320 + x) * 3 + 3)])
  throw new Error('no frame')
}

test.each([{}, { look: 'vintage-wash', stops: -1 }, { look: 'deep-contrast', stops: 9 }])(
  'pictures are graded by the variables of their own composition: %o',
  async (variables: { look?: string; stops?: number }) => {
    const expected = [
      graded({ preset: variables.look ?? 'neutral', adjust: { exposure: variables.stops ?? 0 } }),
      graded({}),
      graded({ adjust: { saturation: -1 } }),
    ]
    const shown = await patches(await render(variables, '1'))
    const off = shown.map((patch, index) =>
      Math.max(...patch.map((value, channel) => Math.abs(value - (expected[index]?.[channel] ?? 0)))),
    )
    expect(
      off.every((distance) => distance <= CLOSE),
      JSON.stringify({ shown, wanted: expected }),
    ).toBe(true)
  },
)

test('every worker gives the same grading', async () => {
  const files = await Promise.all(['1', '2'].map((workers) => render({ look: 'warm-daylight' }, workers)))
  const [one, other] = await Promise.all(files.map((file) => frameHashes(file)))
  expect(other).toEqual(one)
})
