import { join } from 'node:path'
import { frameHashes } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { copyOf, GALLERY } from '../support/gallery.ts'
import { vid } from '../support/vid.ts'

/** All projects with `npm run lab -- changed-rows`. */
const isAll = process.env.VID_CHANGED_ROWS !== undefined

/** Small ones, of which little and all changes. */
const FEW: typeof GALLERY = [['placed-canvas', ['index']]]

const CONFIG = 'export default { render: { segmentFrames: Number(process.env.E2E_SEGMENT) } }\n'

/** The frames of an entry, encoded without loss in segments of a number of frames. */
const framesOf = async (folder: string, entry: string, segment: number) => {
  const output = join(folder, `${entry}-${segment}.mp4`)
  const run = await vid(['render', folder, '-c', `${entry}.html`, '-o', output, '--crf', '0', '--no-cache'], {
    env: { E2E_SEGMENT: `${segment}` },
  })
  expect(run, run.stderr).toMatchObject({ code: 0 })
  return frameHashes(output)
}

test.each(isAll ? GALLERY : FEW)(
  'the frames of %s are equal whether only their changed rows are moved or all of them: %j',
  async (project, entries) => {
    const folder = await copyOf(project, CONFIG)
    for (const entry of entries) {
      const changed = await framesOf(folder, entry, 240)
      // The first frame of a segment is drawn as a whole.
      expect(await framesOf(folder, entry, 1), entry).toEqual(changed)
      expect(changed.length, entry).toBeGreaterThan(1)
    }
  },
)
