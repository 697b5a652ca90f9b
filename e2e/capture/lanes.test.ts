import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch, vidInProcess as vid } from '../support/vid.ts'
import { projectOf } from '../support/ways.ts'

const page = (style: string) => `<!doctype html><html><head><meta charset="utf-8"><style>
  #root { background: linear-gradient(#204080, #802040) }
  #glass { position: absolute; left: 40px; top: 20px; width: 80px; height: 40px; ${style} }
</style></head><body><div id="root" data-composition-id="glass" data-width="160" data-height="90" data-duration="0.2">
  <div id="glass"></div></div></body></html>`

test('an inspection and a render report why frames are captured by a slower lane', async () => {
  const project = await projectOf({ 'index.html': page('backdrop-filter: blur(4px); mix-blend-mode: multiply') })
  const inspected = await vid(['inspect', project, '--json'])
  const fallback = expect.objectContaining({
    code: 'VID_LANE_FALLBACK',
    message: expect.stringMatching(/backdrop-filter/),
    hint: expect.stringMatching(/./),
  })
  expect(JSON.parse(inspected.stdout).warnings).toContainEqual(fallback)

  const output = join(await scratch(), 'glass.mp4')
  const { stdout } = await vid(['render', project, '-o', output, '--json'])
  const complete = stdout.split('\n').find((line) => line.includes('"render-complete"')) ?? '{}'
  expect(JSON.parse(complete).warnings).toContainEqual(fallback)
})

test('a canvas below half the size is captured by a slower lane from the start, which a warning says', async () => {
  const canvas = '<canvas width="40" height="20" style="width: 160px; height: 80px"></canvas></div></body>'
  const project = await projectOf({ 'index.html': page('').replace('</div></body>', canvas) })
  const output = join(await scratch(), 'small.mp4')
  const { stdout } = await vid(['render', project, '-o', output, '--scale', '0.4', '--json'])
  const complete = stdout.split('\n').find((line) => line.includes('"render-complete"')) ?? '{}'
  const message = expect.stringMatching(/<canvas> at a scale below 0\.5/)
  expect(JSON.parse(complete).warnings).toEqual([expect.objectContaining({ code: 'VID_LANE_FALLBACK', message })])
})

test('a page that can be captured as an element gives no warning', async () => {
  const project = await projectOf({ 'index.html': page('background: #ffffff80') })
  expect(JSON.parse((await vid(['inspect', project, '--json'])).stdout).warnings).toEqual([])
})
