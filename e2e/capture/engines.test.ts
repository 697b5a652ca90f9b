import { join } from 'node:path'
import { expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { expectSameFile, projectWith } from '../support/engines.ts'
import { vid, vidInProcess } from '../support/vid.ts'

// Each lane with one project; engines.long.test.ts has the other lanes of the first.
test.each(
  partOf(
    [
      ['frame-number', 'screenshot'],
      ['nested-parts', 'raster'],
      ['seeked', 'begin-frame'],
    ],
    2,
  ),
)('%s is the same file with either engine on the same browser, in the lane %s', expectSameFile)

test('an engine that is set in vid.config.ts is named in events and errors', async () => {
  const folder = await projectWith('playwright', 'frame-number', 'auto')
  expect((await vidInProcess(['inspect', folder])).stdout).toMatch(/capture +config +"@vid\/capture-playwright"\n/)
  const run = await vid(['render', folder, '-o', join(folder, 'out.mp4')], {
    env: { VID_BROWSER_PATH: join(folder, 'no-browser') },
  })
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('plugin: @vid/capture-playwright') })
})
