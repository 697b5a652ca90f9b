import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { frameHashes } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { scratch, vidInProcess as vid } from './support/vid.ts'

const square = '<div id="a" style="position:absolute;width:30px;height:30px;background:#06c"></div>'

/** Renders a composition on one worker and on three, and gives what both said and the frames of each. */
const renderTwice = async (script: string, head = '', files: Record<string, string> = {}) => {
  const folder = join(await scratch(), 'project')
  await mkdir(folder)
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><html><head>${head}</head><body><div data-composition-id="x" data-width="320" data-height="180" data-duration="1">${square}<script>${script}</script></div></body></html>`,
  )
  await mkdir(join(folder, 'lib'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await writeFile(join(folder, 'vid.config.mjs'), 'export default { render: { segmentFrames: 10 } }')
  const runs = []
  for (const workers of ['1', '3']) {
    const output = join(folder, `${workers}.mp4`)
    const run = await vid(['render', folder, '-o', output, '-w', workers, '--crf', '0', '--no-cache'])
    expect(run, run.stderr).toMatchObject({ code: 0 })
    runs.push({ ...run, frames: await frameHashes(output) })
  }
  return runs
}

test.each([
  ['a sound context', `const time = () => sound.currentTime; const sound = new AudioContext()`],
  ['a measure', `const time = () => performance.measure('m').duration / 1000`],
  ['the length of loading', `const time = () => (Date.now() - performance.timing.navigationStart) / 1000`],
])('what follows %s is the same from any worker, and nothing is said', async (_name, time) => {
  const [one, three] = await renderTwice(
    `${time};(function draw() { a.style.left = 200 * time() + 'px'; requestAnimationFrame(draw) })()`,
  )
  expect(new Set(one?.frames).size).toBe(30)
  expect(three?.frames).toEqual(one?.frames)
  expect(`${one?.stderr}${three?.stderr}`).not.toMatch(/^warning/m)
})

test.each([
  ['a file', "new Worker('worker.js')"],
  ['a module', "new Worker('worker.mjs', { type: 'module' })"],
  ['a worker of a worker', "new Worker('parent.js')"],
])('%s that draws in time of its own is the same from any worker, and nothing is said', async (_name, worker) => {
  const draw = `const draw = () => {
    let x = 200 * performance.now() / 1000 + 10 * Math.random()
    postMessage(x); requestAnimationFrame(draw)
  }
  requestAnimationFrame(draw); setInterval(() => postMessage((Date.now() % 1000) / 5), 400)`
  const [one, three] = await renderTwice(`${worker}.onmessage = ({ data }) => { a.style.left = data + 'px' }`, '', {
    'worker.js': `importScripts('lib/draw.js')`,
    'lib/draw.js': draw,
    'worker.mjs': `import './lib/draw.js'`,
    'parent.js': `new Worker('worker.js').onmessage = ({ data }) => postMessage(data)`,
  })
  expect(new Set(one?.frames).size).toBeGreaterThan(28)
  expect(three?.frames).toEqual(one?.frames)
  expect(`${one?.stderr}${three?.stderr}`).not.toMatch(/^warning/m)
})

test('a canvas of the page that a worker draws is the same from any worker', async () => {
  const [one, three] = await renderTwice(`
    const draw = 'onmessage = ({ data }) => { const c = data.getContext("2d"); const next = (t) => { c.clearRect(0, 0, 300, 150); c.fillRect(t / 5, 9, 30, 30); requestAnimationFrame(next) }; next(0) }'
    const canvas = a.parentElement.appendChild(document.createElement('canvas')).transferControlToOffscreen()
    new Worker(URL.createObjectURL(new Blob([draw]))).postMessage(canvas, [canvas])`)
  expect(new Set(one?.frames).size).toBeGreaterThan(25)
  expect(three?.frames).toEqual(one?.frames)
})

test('a page that requires trusted types is captured by a slower lane', async () => {
  const runs = await renderTwice(
    `a.style.left = '90px'`,
    `<meta http-equiv="Content-Security-Policy" content="require-trusted-types-for 'script'">`,
  )
  for (const { stderr } of runs) expect(stderr).toContain('no worker may be started')
})
