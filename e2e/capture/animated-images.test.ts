import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { frameHashes } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { colourFrames, type Patch } from '../support/colours.ts'
import { makeMovingImages, STEPS } from '../support/moving-images.ts'
import { rendersOfFile } from '../support/renders.ts'
import { box, compare as compareFrames, projectOf, renderAllWays, within } from '../support/ways.ts'

/** Frames a second: one at each change of the images, and two between. */
const FPS = 12
const FRAMES = 1.5 * FPS
const renderWays = (project: string) => renderAllWays(project, { fps: FPS })
const compare = (frames: readonly Uint8Array[], scene: (seconds: number) => readonly Patch[], rows?: number) =>
  compareFrames(frames, scene, rows, FPS)

const render = rendersOfFile()

/** The images, made once. */
let making: ReturnType<typeof makeMovingImages> | undefined
const movingImages = () => {
  making ??= makeMovingImages()
  return making
}

const page = (body: string, script = '') => `<!doctype html><html><head><style>
body { margin: 0; background: #000 } img, svg, canvas, iframe, .at { position: absolute; border: 0 } svg { overflow: visible }
</style></head><body><div id="root" data-composition-id="main" data-width="320" data-height="180" data-duration="1.5">${body}</div>${script}</body></html>`

const position = (x: number, y: number, more = '') => `style="left:${x}px;top:${y}px;${more}"`
const bar = (x: number, y: number): Patch => box(x, y, 20, 10, '#ffffff')
const rect = (inside: string, attributes = '') =>
  `<rect width="20" height="10" fill="#fff" ${attributes}>${inside}</rect>`
const MOVE = '<animate attributeName="x" from="0" to="200" dur="2s" fill="freeze"/>'
const svg = (y: number, inside: string) => `<svg width="320" height="10" ${position(0, y)}>${inside}</svg>`
const drawing = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">${inside}</svg>`

/** The colour that is shown `seconds` after an image's start, when it plays `runs` times. */
const step = (seconds: number, runs = Number.POSITIVE_INFINITY): string =>
  STEPS[seconds + 1e-6 >= runs ? 3 : Math.floor(seconds * 4 + 1e-6) % 4] ?? ''

const mixed = (over: string, under: string): string => {
  const channel = (colour: string, offset: number) => Number.parseInt(colour.slice(offset, offset + 2), 16)
  const parts = [1, 3, 5].map((offset) => Math.round((channel(over, offset) + channel(under, offset)) / 2))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

test('animated images follow the clock, on any worker', async () => {
  const images = await movingImages()
  const html = page(`<img src="loop.gif" ${position(0, 0)}><img src="once.gif" ${position(40, 0)}>
    <img src="twice.png" ${position(80, 0)}><img srcset="loop.webp" ${position(120, 0)}>
    <img src="clear.png" ${position(160, 0, 'background:#204080')}>
    <div data-start="0.5" data-duration="0.75"><img src="loop.gif" ${position(200, 0)}></div>
    <div class="at" ${position(240, 0, 'width:40px;height:30px;background:url(loop.gif)')}></div>
    <img src="moving.svg" ${position(280, 0)}>
    <img src="loop.gif" ${position(0, 40, 'width:80px;height:40px;object-fit:contain;background:#808080')}>
    <div id="host"></div>
    <div class="at" ${position(160, 40, 'width:40px;height:30px;background:url(moving.svg)')}></div>
    <iframe srcdoc="<body style='margin:0'><img src='/loop.webp'>" width="40" height="30" ${position(240, 40)}></iframe>
    <script>host.attachShadow({ mode: 'open' }).innerHTML = '<img src="loop.gif" style="position:absolute;left:120px;top:40px">'</script>`)
  const moving = drawing(
    `<style>@keyframes m{to{transform:translate(20px,0)}}#a{animation:m 1s linear}</style>
     <rect id="a" width="20" height="10" fill="#fff"/><rect y="20" width="20" height="10" fill="#fff"><animate attributeName="x" to="20" dur="1s" fill="freeze"/></rect>`,
  )
  const project = await projectOf({ 'index.html': html, 'moving.svg': moving, ...images })
  const { frames, stderr } = await renderWays(project)
  const scene = (t: number): Patch[] => [
    box(0, 0, 40, 30, step(t)),
    box(40, 0, 40, 30, step(t, 1)),
    box(80, 0, 40, 30, step(t, 2)),
    box(120, 0, 40, 30, step(t)),
    box(160, 0, 20, 30, mixed(step(t), '#204080')),
    box(180, 0, 20, 30, '#204080'),
    ...(within(t, 0.5, 1.25) ? [box(200, 0, 40, 30, step(t - 0.5))] : []),
    box(240, 0, 40, 30, STEPS[0]),
    bar(280 + (t < 1 ? 20 * t : 0), 0),
    bar(280 + 20 * Math.min(t, 1), 20),
    box(0, 40, 80, 40, '#808080'),
    box(13, 40, 53, 40, step(t)),
    box(120, 40, 40, 30, step(t)),
    ...[40, 60].map((y) => box(160, y, 20, 10, '#ffffff')),
    box(240, 40, 40, 30, step(t)),
  ]
  expect(frames).toHaveLength(FRAMES)
  expect(compare(frames, scene)).toEqual([])
  expect(stderr.match(/warning \w+/g)).toEqual(['warning VID_IMAGE_STILL'])
  expect(stderr).toMatch(/VID_IMAGE_STILL.*moving\.svg/)
  expect(stderr).toMatch(/VID_IMAGE_STILL.*loop\.gif/)
})

test('an image of a density moves in its own size, and one in a document of its own is named', async () => {
  const { 'loop.gif': gif } = await movingImages()
  const html = page(`<img srcset="loop.gif 2x" ${position(0, 0)}><img srcset="loop.gif 0.5x" ${position(40, 0)}>
    <picture><source srcset="loop.gif 2x"><img src="missing.png" ${position(120, 0)}></picture>
    <object data="loop.gif" ${position(0, 80, 'position:absolute')}></object>`)
  const { frames, stderr } = await renderWays(await projectOf({ 'index.html': html, 'loop.gif': gif }))
  const scene = (t: number): Patch[] => [
    box(0, 0, 20, 15, step(t)),
    box(40, 0, 80, 60, step(t)),
    box(120, 0, 20, 15, step(t)),
    box(0, 80, 40, 30, STEPS[0]),
  ]
  expect(compare(frames, scene)).toEqual([])
  expect(stderr).toMatch(/VID_IMAGE_STILL.*loop\.gif/)
})

longTest('an SVG in an image is animated as in a browser, in time with the clock', async () => {
  const row = (y: number, attributes: string, inside = '') =>
    `<rect y="${y}" width="20" height="10" fill="#fff" ${attributes}>${inside}</rect>`
  const animate = (attributes: string) => `<animate attributeName="x" from="0" to="100" ${attributes}/>`
  const file = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="70">
    <style><![CDATA[
      @keyframes m { to { transform: translate(100px, 0) } }
      @media (min-width: 1px) { .late { animation: m 0.5s linear 0.25s 2 alternate } }
      .named { animation-name: m; animation-duration: 1s; animation-timing-function: linear }
    ]]></style>
    ${row(0, 'class="late"')}${row(12, 'class="named"')}
    ${row(24, 'style="animation: m 1s linear -0.5s both"')}
    ${row(36, '', animate('dur="0.5s" begin="250ms" repeatCount="indefinite"'))}
    ${row(48, '', `<animate attributeName="x" to="40" dur="00:00.25" repeatCount="2" fill="freeze"/>`)}
    ${row(60, '', '<set attributeName="x" to="100" begin="0.25s;1s" dur="0.5s"/>')}</svg>`
  // Animations that wait for each other cannot be seeked: the SVG stays still, with a warning.
  const waiting = drawing(
    rect(
      '<animate id="a" attributeName="x" to="10" dur="0.5s" fill="freeze"/><animate attributeName="y" to="10" begin="a.end" dur="1s"/>',
    ),
  )
  const html = page(
    `<img src="a.svg" ${position(0, 0)}><img src="a.svg" data-start="0.5" ${position(160, 80)}><img src="b.svg" ${position(280, 0)}>`,
  )
  const { frames, stderr } = await renderWays(await projectOf({ 'index.html': html, 'a.svg': file, 'b.svg': waiting }))
  const places = (t: number): number[] => [
    t < 0.25 || t >= 1.25 ? 0 : t < 0.75 ? (t - 0.25) * 200 : (1.25 - t) * 200,
    t < 1 ? t * 100 : 0,
    Math.min(1, t + 0.5) * 100,
    t < 0.25 ? 0 : ((t - 0.25) % 0.5) * 200,
    t < 0.5 ? (t % 0.25) * 160 : 40,
    within(t, 0.25, 0.75) || within(t, 1) ? 100 : 0,
  ]
  const scene = (t: number): Patch[] => [
    bar(280, 0),
    ...places(t + 1e-9).map((x, row) => bar(x, row * 12)),
    ...(within(t, 0.5) ? places(t - 0.5 + 1e-9).map((x, row) => bar(160 + x, 80 + row * 12)) : []),
  ]
  expect(compare(frames, scene)).toEqual([])
  expect(stderr.match(/warning .*/g)).toEqual([expect.stringMatching(/VID_IMAGE_STILL.* of b\.svg\.$/)])
})

longTest('every lane shows the same animated images', async () => {
  const images = await movingImages()
  const configOf = (lane: string) => `import puppeteer from '@vid/capture-puppeteer'
    export default { capture: puppeteer({ lane: '${lane}' }) }`
  const project = await projectOf({
    ...images,
    'vid.config.mjs': '',
    'style.css': '@import "parts/more.css"; .at { width: 40px; height: 30px; background: url(loop.webp) }',
    'parts/more.css': '#more { background: url(moving.svg) }',
    'parts/moving.svg': drawing(
      '<rect width="20" height="10" fill="#fff"><animate attributeName="y" to="20" dur="1s"/></rect>',
    ),
    'index.html': page(`<link rel="stylesheet" href="style.css"><img src="loop.gif" ${position(0, 0)}>
      <img src="clear.png" ${position(40, 0)}>${svg(40, rect(MOVE))}<div class="at" ${position(80, 0)}></div>
      <div id="more" ${position(120, 0, 'position:absolute;width:40px;height:30px')}></div>`),
  })
  const files: string[] = []
  for (const lane of ['begin-frame', 'screenshot', 'raster']) {
    const output = join(project, `${lane}.mp4`)
    await writeFile(join(project, 'vid.config.mjs'), configOf(lane))
    const { warnings } = await render({ projectDir: project, output, crf: 0, fps: FPS })
    expect(warnings.map(({ code }) => code)).toEqual(['VID_IMAGE_STILL'])
    files.push(output)
  }
  // The raster lane rounds colours on its way to yuv otherwise than ffmpeg does.
  const hashes = await Promise.all(files.slice(0, 2).map(async (file) => (await frameHashes(file)).join()))
  expect(new Set(hashes).size).toBe(1)
  const scene = (t: number): Patch[] => [
    box(0, 0, 40, 30, step(t)),
    box(40, 0, 20, 30, mixed(step(t), '#000000')),
    bar(100 * t, 40),
    box(80, 0, 40, 30, STEPS[0]),
    box(120, 0, 20, 10, '#ffffff'),
  ]
  expect(compare(await colourFrames(files[2] ?? ''), scene)).toEqual([])
})

test('scripts draw what a moving image shows, and may change its source', async () => {
  const images = await movingImages()
  const html = page(
    `<img id="one" src="loop.gif" ${position(0, 0)}><canvas id="flat" width="40" height="30" ${position(40, 0)}></canvas>
     <canvas id="deep" width="40" height="30" ${position(80, 0)}></canvas><img id="two" src="once.gif" ${position(120, 0)}>`,
    `<script>
    const context = flat.getContext('2d')
    const said = [one.getAttribute('src'), one.src.endsWith('/loop.gif'), document.getAnimations().length]
    addEventListener('vid-seek', ({ detail }) => {
      context.drawImage(one, 0, 0)
      const copy = new OffscreenCanvas(40, 30)
      copy.getContext('2d').drawImage(one, 0, 0)
      deep.getContext('2d').fillStyle = deep.getContext('2d').createPattern(one, 'repeat')
      deep.getContext('2d').fillRect(0, 0, 40, 30)
      const now = [one.getAttribute('src'), one.src.endsWith('/loop.gif'), document.getAnimations().length]
      if (said.join() !== now.join() || one.naturalWidth !== 40 || !one.complete) throw new Error(now.join())
      two.src = detail.time < 0.5 ? 'once.gif' : detail.time < 1 ? 'still.svg' : 'loop.webp'
    })</script>`,
  )
  const still = drawing('<rect width="40" height="30" fill="#808080"/>')
  const { frames, stderr } = await renderWays(await projectOf({ 'index.html': html, 'still.svg': still, ...images }))
  const scene = (t: number): Patch[] => [
    ...[0, 40, 80].map((x) => box(x, 0, 40, 30, step(t))),
    box(120, 0, 40, 30, within(t, 0.5, 1) ? '#808080' : step(t, within(t, 1) ? 9 : 1)),
  ]
  expect(compare(frames, scene)).toEqual([])
  expect(stderr).not.toContain('warning')
})

test("a drawing's own animations follow the clock, counted from the clip that holds it", async () => {
  const html = page(
    `${svg(0, rect(MOVE))}
    <div data-start="0.5" data-duration="0.75">${svg(12, rect(MOVE))}</div>
    ${svg(24, rect('<animateTransform attributeName="transform" type="translate" from="0 0" to="100 0" dur="0.5s" repeatCount="indefinite"/>'))}
    ${svg(36, rect('<animateMotion path="M0,0 H100" dur="1s" begin="0.25s" fill="freeze"/>'))}
    ${svg(48, rect('<set attributeName="x" to="100" begin="0.75s"/>'))}
    ${svg(60, `<svg>${rect('<animate id="first" attributeName="x" to="50" dur="0.5s" fill="freeze"/><animate attributeName="x" from="50" to="150" begin="first.end" dur="1s" fill="freeze"/>')}</svg>`)}
    <div id="host"></div>
    <iframe srcdoc='<body style="margin:0"><svg width="320" height="10" style="display:block">${rect(MOVE)}</svg>' width="320" height="10" ${position(0, 84)}></iframe>
    <script>host.attachShadow({ mode: 'open' }).innerHTML = \`${svg(72, rect(MOVE)).replace('style="', 'style="position:absolute;')}\`</script>`,
  )
  const { frames, stderr } = await renderWays(await projectOf({ 'index.html': html }))
  const clamp = (value: number) => Math.max(0, Math.min(value, 1))
  const scene = (t: number): Patch[] => [
    bar(100 * t, 0),
    ...(within(t, 0.5, 1.25) ? [bar(100 * (t - 0.5), 12)] : []),
    bar(200 * ((t + 1e-6) % 0.5), 24),
    bar(100 * clamp(t - 0.25), 36),
    bar(within(t, 0.75) ? 100 : 0, 48),
    bar(t < 0.5 ? 100 * t : 50 + 100 * (t - 0.5), 60),
    bar(100 * t, 72),
    bar(100 * t, 84),
  ]
  expect(frames).toHaveLength(FRAMES)
  expect(compare(frames, scene, 100)).toEqual([])
  expect(stderr).not.toContain('warning')
})

test('drawings that scripts insert, hold and set, or listen to, are replayed alike', async () => {
  const html = page(
    `<div id="late"></div><svg id="held" width="320" height="10" ${position(0, 12)}>${rect(MOVE)}</svg>
     <svg id="set" width="320" height="10" ${position(0, 24)}>${rect(MOVE)}</svg>
     ${svg(36, rect('<animate id="looped" attributeName="x" from="0" to="50" dur="0.25s" repeatCount="4"/>'))}
     <div class="at" id="count" ${position(0, 48, 'height:10px;background:#fff')}></div>`,
    `<script>
    setTimeout(() => { late.innerHTML = ${JSON.stringify(svg(0, rect(MOVE)))} }, 500)
    setTimeout(() => held.pauseAnimations(), 500)
    setTimeout(() => held.unpauseAnimations(), 1000)
    setTimeout(() => set.setCurrentTime(0), 750)
    let times = 0
    const onEvent = () => { times++; count.style.width = times * 20 + 'px' }
    for (const type of ['beginEvent', 'repeatEvent', 'endEvent']) looped.addEventListener(type, onEvent)
    </script>`,
  )
  const { frames, stderr } = await renderWays(await projectOf({ 'index.html': html }))
  const scene = (t: number): Patch[] => [
    ...(within(t, 0.5) ? [bar(100 * t, 0)] : []),
    bar(t < 0.5 ? 100 * t : t < 1 ? 50 : 100 * (t - 0.5), 12),
    bar(t < 0.75 ? 100 * t : 100 * (t - 0.75), 24),
    bar(t < 1 - 1e-6 ? 200 * ((t + 1e-6) % 0.25) : 0, 36),
    box(0, 48, within(t, 1) ? 40 : 20, 10, '#ffffff'),
  ]
  expect(compare(frames, scene, 100)).toEqual([])
  expect(stderr).not.toContain('warning')
})
