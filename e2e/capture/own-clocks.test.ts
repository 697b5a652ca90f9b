import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { frameHashes } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { brightMiddle, greyFrames } from '../support/pixels.ts'
import { rendersOfFile } from '../support/renders.ts'
import { scratch } from '../support/vid.ts'

/** Squares below each other, which move by a clock each: one page shows several clocks. */
const NAMES = ['a', 'b', 'c'] as const
const squares = NAMES.map(
  (name, row) =>
    `<div id="${name}" style="position:absolute;top:${row * 60}px;width:30px;height:30px;background:#fff"></div>`,
).join('')

const render = rendersOfFile()

/** Renders a composition on some numbers of workers, and gives what each said and its frames. */
const renderOn = async (
  workers: readonly number[],
  script: string,
  head = '',
  files: Readonly<Record<string, string>> = {},
) => {
  const folder = join(await scratch(), 'project')
  await mkdir(folder)
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><html><head>${head}</head><body><div data-composition-id="x" data-width="320" data-height="180" data-duration="1" style="background:#000">${squares}<script>${script}</script></div></body></html>`,
  )
  await mkdir(join(folder, 'lib'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await writeFile(join(folder, 'vid.config.mjs'), 'export default { render: { segmentFrames: 10 } }')
  const runs = []
  for (const count of workers) {
    const output = join(folder, `${count}.mp4`)
    const { warned } = await render({ projectDir: folder, output, workers: count, crf: 0 })
    runs.push({ warned, output, frames: await frameHashes(output) })
  }
  return runs
}

/** Renders a composition on one worker and on three: both must show the same, and say nothing. */
const renderTwice = async (script: string, files: Readonly<Record<string, string>> = {}) => {
  const [one, three] = await renderOn([1, 3], script, '', files)
  expect(three?.frames).toEqual(one?.frames)
  expect([one?.warned, three?.warned]).toEqual(['', ''])
  return greyFrames(one?.output ?? '')
}

/** How many places a square is at. */
const placesOf = (frames: readonly Uint8Array[], name: (typeof NAMES)[number]): number =>
  new Set(frames.map((frame) => brightMiddle(frame, NAMES.indexOf(name) * 60 + 15))).size

test('what follows a sound context, a measure or the length of loading is the same from any worker', async () => {
  const frames = await renderTwice(`
    const sound = new AudioContext()
    const clocks = [
      [a, () => sound.currentTime],
      [b, () => performance.measure('m').duration / 1000],
      [c, () => (Date.now() - performance.timing.navigationStart) / 1000],
    ]
    for (const [square, time] of clocks)
      (function draw() { square.style.left = 200 * time() + 'px'; requestAnimationFrame(draw) })()`)
  for (const name of NAMES) expect([name, placesOf(frames, name)]).toEqual([name, 30])
})

test('a file, a module and a worker of a worker that draw in time of their own are the same from any worker', async () => {
  const draw = `const draw = () => {
    let x = 200 * performance.now() / 1000 + 10 * Math.random()
    postMessage(x); requestAnimationFrame(draw)
  }
  requestAnimationFrame(draw); setInterval(() => postMessage((Date.now() % 1000) / 5), 400)`
  const frames = await renderTwice(
    `const workers = [
      [a, new Worker('worker.js')],
      [b, new Worker('worker.mjs', { type: 'module' })],
      [c, new Worker('parent.js')],
    ]
    for (const [square, worker] of workers) worker.onmessage = ({ data }) => { square.style.left = data + 'px' }`,
    {
      'worker.js': `importScripts('lib/draw.js')`,
      'lib/draw.js': draw,
      'worker.mjs': `import './lib/draw.js'`,
      'parent.js': `new Worker('worker.js').onmessage = ({ data }) => postMessage(data)`,
    },
  )
  for (const name of NAMES) expect(placesOf(frames, name), name).toBeGreaterThan(25)
})

test('a canvas of the page that a worker draws is the same from any worker', async () => {
  const [one, three] = await renderOn(
    [1, 3],
    `
    const draw = 'onmessage = ({ data }) => { const c = data.getContext("2d"); c.fillStyle = "#f00"; const next = (t) => { c.clearRect(0, 0, 300, 150); c.fillRect(t / 5, 9, 30, 30); requestAnimationFrame(next) }; next(0) }'
    const canvas = a.parentElement.appendChild(document.createElement('canvas')).transferControlToOffscreen()
    new Worker(URL.createObjectURL(new Blob([draw]))).postMessage(canvas, [canvas])`,
  )
  expect(new Set(one?.frames).size).toBeGreaterThan(25)
  expect(three?.frames).toEqual(one?.frames)
})

test('a page that requires trusted types is captured by a slower lane', async () => {
  const [run] = await renderOn(
    [1],
    `a.style.left = '90px'`,
    `<meta http-equiv="Content-Security-Policy" content="require-trusted-types-for 'script'">`,
  )
  expect(run?.warned).toContain('no worker may be started')
})
