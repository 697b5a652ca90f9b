import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, runProcess } from '@vid/ffmpeg'
import { decodePng } from '@vid/testkit'
import { expect, test } from 'vitest'
import { longTest, partOf } from '../../scripts/dev/part-of.ts'
import { scratch, vidInProcess as vid } from '../support/vid.ts'

const FPS = 10

/** Pixels by which the bar moves from one frame to the next. */
const STEP = 6

/** A white bar 8 pixels wide that is at pixel 6 * n in frame n, on a red ground or on none. */
const composition = (ground: string) => `<!doctype html><html><body>
<div data-composition-id="main" data-width="320" data-height="180" data-duration="4" data-no-timeline style="${ground}">
  <div id="bar" style="position:absolute;top:20px;width:8px;height:140px;background:#fff"></div>
</div>
<script>
  document.getElementById('bar').animate([{ left: '0' }, { left: '240px' }], { duration: 4000, fill: 'both' })
</script></body></html>`

const RED = 'background:#c21f3a'

const project = async (ground = RED, config: object = {}): Promise<string> => {
  const folder = join(await scratch(), 'bar')
  await mkdir(folder)
  await writeFile(join(folder, 'index.html'), composition(ground))
  const render = { fps: FPS, segmentFrames: FPS, quality: 'draft', ...config }
  await writeFile(join(folder, 'vid.config.json'), JSON.stringify({ render }))
  return folder
}

const render = async (folder: string, ...flags: string[]) => {
  const run = await vid(['render', folder, ...flags], { cwd: folder, env: { VID_CACHE: 'on' } })
  expect(run.code, run.stderr).toBe(0)
  return run
}

/** The pixels of a picture, and the frame that it shows. */
const readPicture = async (file: string) => {
  const { ffmpeg } = await findFfmpeg()
  const png = join(await scratch(), 'read.png')
  await runProcess(ffmpeg, ['-v', 'error', '-i', `file:${file}`, '-vf', 'format=rgba', png], undefined)
  const { width, height, data } = decodePng(await readFile(png))
  const at = (x: number, y: number) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)]
  const row = Array.from({ length: width }, (_, x) => at(x, 90))
  const bar = row.findIndex(([, green = 0, , alpha = 0]) => green > 128 && alpha > 128)
  return { width, height, frame: Math.round(bar / STEP), at }
}

const expectRed = (pixel: readonly number[]) => {
  for (const [index, value] of [0xc2, 0x1f, 0x3a].entries())
    expect(Math.abs((pixel[index] ?? -99) - value), pixel.join()).toBeLessThan(6)
}

test.each(
  partOf(
    [
      ['mp4', '40%', 16],
      ['webm', '25f', 25],
      ['mov', '2.5s', 25],
    ],
    2,
  ),
)('the poster of %s at %s is frame %d, in the colours of the video', async (format, time, frame) => {
  const folder = await project()
  const { stdout } = await render(folder, '--format', format, '--poster', time, '-o', `out/film.${format}`)
  expect(stdout).toBe(`out/film.${format}\nout/film.poster.jpg\n`)
  const picture = await readPicture(join(folder, 'out/film.poster.jpg'))
  expect(picture).toMatchObject({ width: 320, height: 180, frame })
  expectRed(picture.at(310, 10))
})

test('the poster of an hls folder is in it, a later render may replace both, and segments are reused', async () => {
  const folder = await project()
  for (const [time, frame] of [
    ['0%', 0],
    ['100%', 39],
    ['33f', 33],
  ] as const) {
    const { stderr } = await render(folder, '--format', 'hls', '--poster', time, '-o', 'stream')
    if (frame > 0) expect(stderr).toContain('4 of 4 segments reused')
    expect((await readPicture(join(folder, 'stream/poster.jpg'))).frame, time).toBe(frame)
  }
  expect(await readdir(folder)).not.toContain('stream.poster.jpg')
})

test('the poster of a video with transparent parts is a png that has them', async () => {
  const folder = await project('')
  await render(folder, '--format', 'webm', '--poster', '1s', '-o', 'film.webm')
  expect((await readdir(folder)).filter((name) => name.includes('poster'))).toEqual(['film.poster.png'])
  const picture = await readPicture(join(folder, 'film.poster.png'))
  expect(picture.frame).toBe(FPS)
  expect(picture.at(310, 10)[3]).toBe(0)
})

longTest('a config gives every row, shape and format its poster, and formats without one none', async () => {
  const folder = await project(RED, { poster: '50%' })
  await writeFile(join(folder, 'rows.json'), '[{"n":"a"},{"n":"b"}]')
  await render(folder, '--batch', 'rows.json', '-o', 'rows/{n}.mp4')
  expect(
    (await readdir(join(folder, 'rows'))).filter((name) => !name.startsWith('.') && !name.endsWith('.json')).sort(),
  ).toEqual(['a.mp4', 'a.poster.jpg', 'b.mp4', 'b.poster.jpg'])
  await render(folder, '--shapes', '16:9,1:1', '-o', 'shapes/film.mp4')
  expect((await readdir(join(folder, 'shapes'))).sort()).toEqual([
    'film-16x9.mp4',
    'film-16x9.poster.jpg',
    'film-1x1.mp4',
    'film-1x1.poster.jpg',
  ])
  expect((await readPicture(join(folder, 'shapes/film-1x1.poster.jpg'))).width).toBe(180)
  await render(folder, '--format', 'gif,mp4', '-o', 'both/film')
  expect((await readdir(join(folder, 'both'))).sort()).toEqual(['film.gif', 'film.mp4', 'film.poster.jpg'])
  await render(folder, '--format', 'gif', '-o', 'gif/film.gif')
  expect(await readdir(join(folder, 'gif'))).toEqual(['film.gif'])
})

test.each([
  [['--poster', '9s'], 'VID_POSTER_TIME', '--poster has "9s", but the video is 4 s long.'],
  [['--poster', '9s', '--format', 'gif'], 'VID_POSTER_FORMAT', 'gif cannot have a poster.'],
  [['--poster', 'soon'], 'VID_FLAG_INVALID', 'a time such as 2s'],
  [['--poster', '1s', '-o', 'taken.mp4'], 'VID_OUTPUT_KIND', 'taken.poster.jpg'],
])('%j is refused before anything is rendered', async (flags, code, words) => {
  const folder = await project()
  await mkdir(join(folder, 'taken.poster.jpg'))
  const { code: exit, stderr } = await vid(['render', folder, ...flags], { cwd: folder })
  expect(exit).toBe(2)
  expect(stderr).toContain(words)
  expect(stderr).toContain(code)
  expect((await readdir(folder)).sort()).toEqual(['index.html', 'taken.poster.jpg', 'vid.config.json'])
})
