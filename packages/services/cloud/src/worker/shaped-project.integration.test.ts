import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CloudRender } from '@vid/client/contract'
import { decodeFrames } from '@vid/ffmpeg'
import { readHere } from '@vid/kernel'
import { expect, test } from 'vitest'
import { partOf } from '../../../../../scripts/dev/part-of.ts'
import { makeFolder, openWork } from '../fixtures/work.ts'
import { shapeProject } from './shaped-project.ts'

/** Red above, and a blue square of 60 pixels in the lower right corner of white, wherever that is. */
const cornerPage = `<!doctype html><html><head><style>
body { margin: 0 } #root { position: relative; background: #fff; overflow: hidden }
#above { position: absolute; left: 0; right: 0; top: 0; height: 40px; background: #f00 }
#corner { position: absolute; right: 0; bottom: 0; width: 60px; height: 60px; background: url(blue.svg) }
</style></head><body><div id="root" data-composition-id="root" data-width="320" data-height="180" data-duration="0.1" data-no-timeline style="width:100vw;height:100vh">
<div id="above"></div><div id="corner"></div></div></body></html>`
const blue =
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><rect width="60" height="60" fill="#00f"/></svg>'
const files = { 'scenes/start.html': cornerPage, 'scenes/blue.svg': blue }

type Point = readonly [x: number, y: number, colour: string]

const colourAt = (frame: Uint8Array, width: number, [x, y]: Point): string =>
  [0, 1, 2].map((channel) => ((frame[(y * width + x) * 3 + channel] ?? 0) > 127 ? 'f' : '0')).join('')

test.each(
  partOf(
    [
      // Scaled: one pixel of the page is six of the picture.
      [
        '16:9',
        1920,
        1080,
        [
          [100, 230, 'f00'],
          [100, 250, 'fff'],
          [1570, 730, '00f'],
          [1550, 730, 'fff'],
        ],
      ],
      // Laid out again at 180 x 320, then scaled by six.
      [
        '9:16',
        1080,
        1920,
        [
          [100, 230, 'f00'],
          [100, 250, 'fff'],
          [730, 1570, '00f'],
          [710, 1570, 'fff'],
        ],
      ],
      [
        '1:1',
        1080,
        1080,
        [
          [100, 230, 'f00'],
          [100, 250, 'fff'],
          [730, 730, '00f'],
          [710, 730, 'fff'],
        ],
      ],
    ] as const,
    2,
  ),
)('a wide page is shown at %s', async (ratio, width, height, points) => {
  const { parts, project, submit, work, end } = await openWork(files)
  await work()
  const row = await end(await submit({ composition: 'scenes/start.html', aspect_ratio: ratio }))
  expect(row).toMatchObject({ status: 'completed', width, height })
  const video = join(await makeFolder(), 'video.mp4')
  expect(await parts.storage.get(row.video_key ?? '', video)).toBe(true)
  const frames: Uint8Array[] = []
  for await (const frame of decodeFrames(video, { pixFmt: 'rgb24' })) frames.push(frame)
  expect(frames.map(({ length }) => length)).toEqual([0, 1, 2].map(() => width * height * 3))
  const [frame = new Uint8Array()] = frames
  expect(points.map((point) => colourAt(frame, width, point))).toEqual(points.map(([, , colour]) => colour))
  // What was sent stays as it was.
  expect(await readFile(join(project, 'scenes/start.html'), 'utf8')).toBe(cornerPage)
})

test('a project is copied only to be laid out anew, with all its files and another entry', async () => {
  const folder = await makeFolder(files)
  const { signal } = new AbortController()
  const request = {
    composition: 'scenes/start.html',
    resolution: '1080p',
  } as const satisfies Partial<CloudRender>
  const workDir = await makeFolder()
  const unchanged = await shapeProject(folder, request, { workDir, signal, reading: readHere })
  expect(unchanged).toEqual({ folder, picture: { width: 1920, height: 1080 } })
  expect(await readdir(workDir)).toEqual([])
  const shaped = await shapeProject(
    folder,
    { ...request, aspect_ratio: '9:16' },
    { workDir, signal, reading: readHere },
  )
  expect(shaped).toMatchObject({ picture: { width: 1080, height: 1920 } })
  expect(shaped.folder).not.toBe(folder)
  expect(await readFile(join(shaped.folder, 'scenes/blue.svg'), 'utf8')).toBe(blue)
  const changed = cornerPage.replace('width="320"', 'width="180"').replace('height="180"', 'height="320"')
  expect(await readFile(join(shaped.folder, 'scenes/start.html'), 'utf8')).toBe(changed)
  expect(await readFile(join(folder, 'scenes/start.html'), 'utf8')).toBe(cornerPage)
})
