import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { probeMedia } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { colourFrames } from '../support/colours.ts'
import { writeTone } from '../support/sound.ts'
import { here, scratch, vidInProcess } from '../support/vid.ts'
import { projectOf } from '../support/ways.ts'

const page = (inner: string, attributes = '', size = 'data-width="64" data-height="36"') =>
  `<!doctype html><html><head><style>@keyframes move { to { left: 9px } }</style></head><body>
  <div id="root" data-composition-id="main" ${size} ${attributes}>${inner}</div></body></html>`
const script = (code: string) => `<b id="b"></b><script>${code}</script>`
const css = (value: string) => `<b style="position:absolute;animation:move ${value}"></b>`
const timeline = (seconds: number) => script(`__timelines.main = { duration: () => ${seconds}, seek() {} }`)
const host = (start: number, seconds: number) =>
  `<div data-composition-id="part" data-start="${start}" data-duration="${seconds}"></div>`

const render = async (files: Readonly<Record<string, string>>, ...flags: string[]) => {
  const project = await projectOf(files)
  await copyFile(here('projects/libraries/slide.json'), join(project, 'slide.json'))
  if (files['index.html']?.includes('tone.wav')) await writeTone(join(project, 'tone.wav'), 440, 0.3)
  const output = join(await scratch(), 'out.mp4')
  return { output, run: await vidInProcess(['render', project, '-o', output, ...flags]) }
}

test.each(
  partOf(
    [
      ['a timeline', timeline(0.2), 6],
      ['the end of a nested host', host(0.1, 0.2), 9],
      ['the end of a sound', '<audio src="tone.wav" data-start="0.1"></audio>', 12],
      ['a CSS animation, with its delay and its iterations', css('0.1s 0.05s 3'), 11],
      ['a script animation', script(`b.animate({ opacity: [0, 1] }, { duration: 300, delay: 100 })`), 12],
      [
        'a Lottie animation',
        `<div id="box"></div><script src="https://cdnjs.cloudflare.com/ajax/libs/bodymovin/5.12.2/lottie.min.js"></script>
    <script>lottie.loadAnimation({ container: box, path: 'slide.json', loop: false }).setSpeed(8)</script>`,
        8,
      ],
      ['the longest of them, endless ones aside', css('0.1s infinite') + timeline(0.1) + host(0, 0.2), 6],
      ['no more than a clip shows', `<div data-start="0.1" data-duration="0.2">${css('9s')}</div>`, 9],
    ],
    3,
  ),
)('without a written length, %s says how long the video is', async (_name, inner, frames) => {
  const { run, output } = await render({ 'index.html': page(inner) })
  expect(run, run.stderr).toMatchObject({ code: 0 })
  expect((await probeMedia(output, { countFrames: true })).video[0]?.frames).toBe(frames)
})

test.each([
  ['nothing', '<p>still</p>', 'an unknown time'],
  ['only something endless', css('1s infinite'), 'Infinity'],
])('%s that could say how long the video is: a coded error at once', async (_name, inner, said) => {
  const begun = performance.now()
  const { run } = await render({ 'index.html': page(inner) })
  expect(run.code).toBe(1)
  expect(run.stderr).toMatch(/VID_COMPOSITION_BAD_DURATION/)
  expect(run.stderr).toContain(said)
  expect(performance.now() - begun).toBeLessThan(60_000)
})

test('an odd size is padded to an even one, the page is white, and the file begins with its index', async () => {
  const size = 'data-width="65" data-height="37"'
  const { run, output } = await render({ 'index.html': page('', 'data-duration="0.1"', size) }, '--crf', '0')
  expect(run, run.stderr).toMatchObject({ code: 0 })
  expect((await probeMedia(output)).video[0]).toMatchObject({ width: 66, height: 38, pixFmt: 'yuv420p' })
  const file = await readFile(output, 'latin1')
  expect(file.indexOf('moov')).toBeGreaterThan(0)
  expect(file.indexOf('moov')).toBeLessThan(file.indexOf('mdat'))
  const [frame = new Uint8Array()] = await colourFrames(output)
  const pixel = (x: number, y: number) => [...frame.subarray((y * 66 + x) * 3, (y * 66 + x) * 3 + 3)]
  expect([pixel(1, 1), pixel(63, 35)]).toEqual([
    [255, 255, 255],
    [255, 255, 255],
  ])
})
