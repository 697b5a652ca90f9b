import { existsSync, readdirSync } from 'node:fs'
import { draftPlan, type FrameFormat, noSources } from '@vid/kernel'
import { createPlanar } from '@vid/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumDriver } from '../fixtures/chromium-driver.ts'
import { changingPage, DRAWN_WRONGLY, psnrOf, slidesOf, takeBoth } from '../fixtures/pictures.ts'
import {
  changePort,
  frameNumberPage,
  height,
  makeProject,
  numberIn,
  openSession,
  pageOf,
  take,
  watchDriver,
  width,
} from '../fixtures/session.ts'
import { defineChromiumCapture, findBrowser } from '../index.ts'

const box = 'position:absolute;left:40px;top:30px;width:100px;height:80px;background:#fa0'
const paint = `{ const c = document.currentScript.previousElementSibling.getContext('2d'); c.fillStyle = 'red'; c.fillRect(9, 9, 50, 50) }`

/** Content that the raster lane draws exactly as a screenshot does. */
const exact = {
  text: '<p style="font:30px sans-serif">Hello <b>bold</b> Ärger</p><p style="font:13px serif;transform:rotate(3deg)">small</p>',
  gradients:
    '<div style="width:300px;height:150px;background:radial-gradient(red,#00f8),linear-gradient(#0f0,#00f)"></div>',
  shadows: `<div style="${box};border-radius:20px;box-shadow:0 10px 30px #000,inset 0 0 10px #00f;text-shadow:2px 2px 4px #000">shadow</div>`,
  blur: `<div style="${box};filter:blur(7px) hue-rotate(40deg)"></div>`,
  'blend modes': `<div style="${box}"></div><div style="${box};left:80px;background:#08f;mix-blend-mode:difference"></div>`,
  'clip paths': `<div style="${box};clip-path:polygon(0 0,100% 20%,50% 100%)"></div>`,
  masks: `<div style="${box};mask-image:linear-gradient(#000,transparent)"></div>`,
  'SVG filters':
    '<svg width="200" height="150"><filter id="f"><feTurbulence baseFrequency=".05"/><feDisplacementMap in="SourceGraphic" scale="20"/></filter><circle cx="80" cy="70" r="50" fill="teal" filter="url(#f)"/></svg>',
  images: `<img style="${box}" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'><circle cx='45' cy='45' r='40' fill='red'/></svg>">`,
  frames: `<iframe style="${box};border:0" srcdoc="<body style='background:#fd0'>inside"></iframe>`,
  'fixed position': '<div style="position:fixed;right:10px;bottom:10px;width:50px;height:50px;background:red"></div>',
  'a canvas at the left top': `<canvas width="100" height="80"></canvas><script>${paint}</script>`,
  'a canvas under a transform': `<canvas style="transform:translate(60px,30px)" width="100" height="80"></canvas><script>${paint}</script>`,
  'a canvas that is placed': `<canvas style="${box};background:none" width="100" height="80"></canvas><script>${paint}</script>`,
  WebGL: `<canvas width="100" height="80"></canvas><script>{
    const gl = document.currentScript.previousElementSibling.getContext('webgl', { preserveDrawingBuffer: true })
    gl.clearColor(1, 0, 1, 1); gl.clear(gl.COLOR_BUFFER_BIT) }</script>`,
  scrolling: `<div style="${box};overflow:auto"><p>a<p>b<p>c<p>d<p>e</div><script>document.currentScript.previousElementSibling.scrollTop = 33</script>`,
  'behind everything': `<div style="${box};z-index:-1"></div>`,
}

test('pictures equal screenshots pixel for pixel', async () => {
  const { raster, screenshots } = await takeBoth(slidesOf(Object.values(exact)), Object.keys(exact).length)
  const counts: Record<string, number> = {}
  for (const [index, name] of Object.keys(exact).entries())
    counts[name] = await psnrOf(raster[index], screenshots[index])
  for (const name of Object.keys(exact)) expect(counts[name], name).toBe(Infinity)
})

test('moving elements are drawn as in a screenshot, whichever property moves them', async () => {
  const page = pageOf(
    `${['slide', 'fade', 'soften', 'shift'].map((name, index) => `<b style="${box};left:${index * 70}px;animation:${name} 2s linear both">text</b>`).join('')}
     <b id="hinted" style="${box};top:90px;will-change:transform,opacity;box-shadow:0 5px 9px #000">text</b>
     <b id="flat" style="${box};top:90px;left:120px">text</b><b id="scripted" style="${box};top:90px;left:220px">text</b>
     <script>
       scripted.animate([{}, { transform: 'scale(1.37) rotate(19deg)' }], 2000)
       addEventListener('vid-seek', ({ detail: { time } }) => {
         hinted.style.transform = 'rotate(' + time * 13 + 'deg)'
         flat.style.transform = 'translate3d(' + time * 3.7 + 'px, 5.71px, 0px) rotate(' + time * 7 + 'deg)'
       })
     </script>`,
    `@keyframes slide { to { transform: rotate(40deg) translateX(33.3px) } } @keyframes fade { from { opacity: 0 } }
     @keyframes soften { to { filter: blur(5px) } } @keyframes shift { to { translate: 20.3px 9.7px; rotate: 20deg } }`,
  )
  const { raster, screenshots } = await takeBoth(page, 6, 'raster', { fps: 4 })
  for (const [frame, picture] of raster.entries()) expect(await psnrOf(picture, screenshots[frame])).toBe(Infinity)
})

test('planar frames are the converted rgba frames, and repeat where those repeat', async () => {
  const toPlanar = await createPlanar(320, 180)
  const [planar, rgba] = await Promise.all(
    (['yuv420p', 'rgba'] as const).map(async (format) =>
      take((await openSession(frameNumberPage(5), { lane: 'raster' })).session, 0, 8, format),
    ),
  )
  expect(planar?.map(({ format, repeat = false }) => `${format} ${repeat}`)).toEqual(
    [0, 1, 2, 3, 4, 5, 6, 7].map((n) => `yuv420p ${n > 5}`),
  )
  for (const [index, { data }] of (planar ?? []).entries())
    expect(Buffer.from(data).equals(toPlanar(rgba?.[index]?.data ?? new Uint8Array()))).toBe(true)
})

/** Every colour under every alpha, as a canvas keeps them. */
const veilPage = pageOf(
  `<canvas width="${width}" height="${height}"></canvas><script>{
    const context = document.currentScript.previousElementSibling.getContext('2d')
    const pixels = context.createImageData(${width}, ${height})
    let state = 1
    for (let at = 0; at < pixels.data.length; at += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      pixels.data[at] = state >>> 24
    }
    context.putImageData(pixels, 0, 0)
  }</script>`,
  '#root { background: none }',
)

test('transparent and translucent pixels equal those of a screenshot, and planar frames are converted from them', async () => {
  const alpha = true
  const [raster, planar, screenshot] = await Promise.all([
    openSession(veilPage, { lane: 'raster', alpha }).then(({ session }) => take(session, 0, 3, 'rgba')),
    openSession(veilPage, { lane: 'raster', alpha }).then(({ session }) => take(session, 0, 3, 'yuva420p', 'rgba')),
    openSession(veilPage, { lane: 'screenshot', alpha }).then(({ session }) => take(session, 0, 1, 'png')),
  ])
  const pixels = raster[0]?.data ?? new Uint8Array()
  expect(new Set(pixels.filter((_, index) => index % 4 === 3)).size).toBe(256)
  expect(await psnrOf(raster[0], screenshot[0])).toBe(Infinity)
  expect(raster.map(({ repeat = false }) => repeat)).toEqual([false, true, true])
  const toPlanar = await createPlanar(width, height, { alpha })
  expect(planar.map(({ format, repeat = false }) => `${format} ${repeat}`)).toEqual(
    [false, true, true].map((repeat) => `yuva420p ${repeat}`),
  )
  expect(Buffer.from(planar[0]?.data ?? []).equals(toPlanar(pixels))).toBe(true)
})

test.each([
  ['html{background:#234}', ''],
  ['body{background:linear-gradient(90deg,#f00,#00f)}', ''],
  ['html,body{background:#345}', ''],
  ['html{background:rgba(0,0,255,.3)} body{background:rgba(255,0,0,.2)}', ''],
  ['body{display:flex;align-items:center;justify-content:center;height:100vh;background:#ddd}', ''],
])('what the page paints behind the root is in the picture: %s', async (style) => {
  const page = pageOf(`<div style="${box}"></div>`, `#root { background: none !important } ${style}`)
  const { raster, screenshots } = await takeBoth(page, 2)
  // Translucent layers over white are rounded in another order.
  expect(await psnrOf(raster[0], screenshots[0])).toBeGreaterThan(style.includes('rgba') ? 50 : 1000)
})

/** A page whose body is the root. */
const bodyPage = (body: string, style: string): string =>
  `<!doctype html><html style="height:100%"><meta charset="utf-8"><style>html{background:#cde} p{background:#8f8} ${style}</style>
   <body id="root" data-composition-id="root" data-width="${width}" data-height="${height}" data-duration="4" data-no-timeline>${body}</body></html>`

test.each([
  ['<div style="height:100%;background:linear-gradient(red,blue)"></div>', ''],
  ['<p>one</p><b>two</b>', 'body{display:flex;align-items:center;justify-content:center;height:100%}'],
  [
    '<p>one</p><p>two</p><b>three</b>',
    'body{display:flex;flex-direction:column;gap:7px;align-items:flex-end} p{flex:1}',
  ],
  ['<p>one</p><p>two</p><b>three</b>', 'body{display:grid;place-items:center;grid-template-columns:1fr 2fr 50px}'],
  ['<p>one</p><p style="height:50%">two</p>', 'body{padding:20px;border-radius:30px} html,body{background:#ddd}'],
  ['<p>one</p><p>two</p><b>three</b>', 'body{columns:2}'],
  ['<i style="position:absolute;right:0;bottom:9px;width:30px;height:30px;background:red"></i>', 'body{padding:9px}'],
])('the content of a body that is the root lies where it does without a canvas: %s %s', async (body, style) => {
  const { raster, screenshots } = await takeBoth(bodyPage(body, style), 1)
  expect(await psnrOf(raster[0], screenshots[0])).toBe(Infinity)
})

test('scripts measure the final layout of a flex body while the page is parsed', async () => {
  const page = bodyPage(
    `<p>one</p><b id="last">two</b><script>root.dataset.left = last.getBoundingClientRect().left</script>
     <script>addEventListener('vid-seek', () => { last.style.marginLeft = root.dataset.left / 2 + 'px' })</script>`,
    'body{display:flex;align-items:center}',
  )
  const { raster, screenshots } = await takeBoth(page, 1)
  expect(await psnrOf(raster[0], screenshots[0])).toBe(Infinity)
})

test('a body that is a flex container beside other elements lays out its root as without a canvas', async () => {
  const { raster, screenshots } = await takeBoth(
    pageOf('<b>text</b>', 'html,body{min-height:100%} body{display:flex} header{background:red}').replace(
      '<div id="root"',
      '<body><header>top</header><div id="root"',
    ),
    1,
  )
  expect(await psnrOf(raster[0], screenshots[0])).toBe(Infinity)
})

test('boxes that inherit how they are sized from the body are as large as without a canvas', async () => {
  const style = 'html{box-sizing:border-box} *{box-sizing:inherit} header{width:200px;padding:20px;background:red}'
  const { raster, screenshots } = await takeBoth(
    pageOf('<b>text</b>', style).replace('<div id="root"', '<body><header>top</header><div id="root"'),
    1,
  )
  expect(await psnrOf(raster[0], screenshots[0])).toBe(Infinity)
})

const kinds: readonly [string, string, string][] = [
  [
    'one pixel',
    '<i style="position:absolute;left:9px;top:9px;width:1px;height:1px"></i>',
    `document.querySelector('i').style.background = frame === 4 ? '#111' : ''`,
  ],
  ['opacity', `<i style="${box}"></i>`, `document.querySelector('i').style.opacity = frame === 4 ? 1 : 0`],
  ['a text node', '<p>a</p>', `document.querySelector('p').firstChild.nodeValue = frame === 4 ? 'b' : 'a'`],
  [
    'an SVG attribute',
    '<svg><circle r="20"/></svg>',
    `document.querySelector('circle').setAttribute('r', frame === 4 ? 30 : 20)`,
  ],
  [
    'a custom property',
    `<i style="${box};background:var(--c)"></i>`,
    `document.documentElement.style.setProperty('--c', frame === 4 ? 'red' : 'blue')`,
  ],
  [
    'a scroll position',
    `<div style="${box};overflow:auto"><p>a<p>b<p>c<p>d<p>e</div>`,
    `document.querySelector('div div').scrollTop = frame === 4 ? 20 : 0`,
  ],
  [
    'an image',
    '<img>',
    `document.querySelector('img').src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='30' height='30'><rect width='" + (frame === 4 ? 20 : 10) + "' height='30'/></svg>"`,
  ],
  [
    'a canvas',
    '<canvas width="50" height="50"></canvas>',
    `const c = document.querySelector('canvas').getContext('2d'); c.clearRect(0, 0, 50, 50); if (frame === 4) c.fillRect(7, 7, 1, 1)`,
  ],
  [
    'WebGL',
    '<canvas width="50" height="50"></canvas>',
    `const gl = document.querySelector('canvas').getContext('webgl'); gl.clearColor(frame === 4 ? 1 : 0, 0, 1, 1); gl.clear(gl.COLOR_BUFFER_BIT)`,
  ],
  [
    'a frame',
    '<iframe srcdoc="<p>a"></iframe>',
    `document.querySelector('iframe').contentDocument.body.style.background = frame === 4 ? 'red' : 'blue'`,
  ],
  [
    'the page behind',
    '',
    `document.body.style.background = frame === 4 ? '#eee' : '#ddd'; root.style.background = 'none'`,
  ],
  [
    'a rule',
    '<p>a</p>',
    `const [sheet] = document.styleSheets; const isIn = sheet.cssRules[0].selectorText === 'p'; if ((frame === 4) === isIn) return; if (isIn) sheet.deleteRule(0); else sheet.insertRule('p { color: red }')`,
  ],
]

test.each(kinds)(
  'a change of %s in one frame is captured, and no other frame changes',
  async (_name, content, change) => {
    const { session } = await openSession(changingPage(content, change), { lane: 'raster' })
    const frames = await take(session, 0, 8, 'rgba')
    expect(frames.map(({ repeat = false }) => repeat)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((n) => ![0, 4, 5].includes(n)),
    )
    expect(Buffer.from(frames[4]?.data ?? []).equals(frames[0]?.data ?? Buffer.of())).toBe(false)
    expect(Buffer.from(frames[5]?.data ?? []).equals(frames[0]?.data ?? Buffer.of())).toBe(true)
  },
)

test.each([
  [
    'that cross',
    `<div style="transform-style:preserve-3d"><i style="${box};transform:rotateY(40deg)"></i><b style="${box};transform:rotateY(-40deg)"></b></div>`,
    '',
  ],
  [
    'which holds it',
    `<div style="transform-style:preserve-3d">text<i style="${box};left:0;top:0;transform:translateZ(-9px)"></i></div>`,
    '',
  ],
  ['in 3D', `<div style="${box};backdrop-filter:blur(2px);rotate:x 20deg"></div>`, ''],
  ['with a blend mode', `<div style="${box};backdrop-filter:blur(2px);mix-blend-mode:multiply"></div>`, ''],
  ['with an SVG filter', `<div style="${box};backdrop-filter:url(#f)"></div>`, ''],
  [
    'inside of another',
    `<div style="${box};backdrop-filter:blur(2px)"><i style="${box};backdrop-filter:blur(3px)"></i></div>`,
    '',
  ],
  ['under text', '<canvas width="100" height="80"></canvas><p style="margin-top:-30px">over it</p>', ''],
  ['an outline cannot show', `<canvas style="${box};border:3px dashed" width="100" height="80"></canvas>`, ''],
  ['another size', '<canvas style="width:50px;image-rendering:pixelated" width="100" height="80"></canvas>', ''],
  ['another origin', '<iframe sandbox srcdoc="<p>a"></iframe>', ''],
  ['with a canvas', '<iframe srcdoc="<canvas></canvas>"></iframe>', ''],
  [
    'with a canvas',
    '<iframe srcdoc="<div></div><script>document.body.firstChild.attachShadow({ mode: `open` }).innerHTML = `<canvas></canvas>`</script>"></iframe>',
    '',
  ],
  ['with a dialog or popover', '<iframe srcdoc="<p popover>a</p>"></iframe>', ''],
  ['another origin', '<object data="data:text/html,a"></object>', ''],
  ['top layer', '<dialog>a</dialog><script>document.querySelector("dialog").showModal()</script>', ''],
  ['top layer', '<p popover>a</p><script>document.querySelector("p").showPopover()</script>', ''],
  ['a transform on <body>', '', 'body { transform: scale(.5) }'],
  ['opacity on <html>', '', 'html { opacity: .5 }'],
  ['a filter on <body>', '', 'body { filter: blur(2px) }'],
  ['<body>::after', '', 'body::after { content: "x" }'],
  ['shadow tree', '<script>document.body.attachShadow({ mode: "open" }).innerHTML = "<slot></slot>"</script>', ''],
  ['worker', '', '</style><meta http-equiv="content-security-policy" content="worker-src \'none\'"><style>'],
])('a page with %s is left to another lane', async (reason, content, style) => {
  await expect(openSession(pageOf(content, style), { lane: 'raster' })).rejects.toMatchObject({
    code: 'VID_LANE_UNFIT',
    message: expect.stringContaining(reason),
  })
})

test('lane auto captures raw pixels in the format that the encoder prefers, and otherwise warns once why it cannot', async () => {
  const formats = async (page: string, ...accepts: FrameFormat[]) => {
    const { session, warnings } = await openSession(page)
    const frames = await take(session, 0, 2, ...accepts)
    return [...frames.map(({ format }) => format), ...warnings.map(({ code }) => code)]
  }
  expect(await formats(frameNumberPage(), 'yuv420p', 'rgba', 'png')).toEqual(['yuv420p', 'yuv420p'])
  expect(await formats(frameNumberPage(), 'rgba', 'yuv420p', 'png')).toEqual(['rgba', 'rgba'])
  const page = pageOf(`<canvas style="${box};image-rendering:pixelated"></canvas>`)
  for (const _again of [1, 2]) expect(await formats(page, 'rgba', 'png')).toEqual(['png', 'png', 'VID_LANE_FALLBACK'])
  const rotatedPage = pageOf(`<i style="${box};rotate:20deg;backdrop-filter:blur(1px);mix-blend-mode:multiply"></i>`)
  expect(await formats(rotatedPage, 'rgba', 'png')).toEqual(['png', 'png', 'VID_LANE_FALLBACK'])
  expect(await formats(frameNumberPage(), 'png', 'jpeg')).toEqual(['png', 'png'])
})

test('the accepted frame formats decide about raw pixels, whatever the output format is called', async () => {
  const projectDir = await makeProject({ 'index.html': frameNumberPage() })
  const signal = new AbortController().signal
  const plugin = defineChromiumCapture('test-capture', chromiumDriver)()
  const context = { options: plugin.options, signal, projectDir, workDir: '', sources: noSources, warn() {} }
  const settings = { fps: 30, variables: {}, alpha: true, videoFrameFormat: 'auto' as const }
  const use = { name: '', options: {}, settings: {}, code: '', build: '' }
  for (const format of ['png-strip', 'mpng']) {
    const draft = draftPlan('index.html', { ...settings, format, capture: use, encoder: use })
    const session = await plugin.open({ ...draft, width, height }, context)
    onTestFinished(() => session.close())
    const frames = [...(await take(session, 0, 1, 'rgba', 'png')), ...(await take(session, 1, 1, 'png'))]
    expect(frames.map((frame) => frame.format)).toEqual(['rgba', 'png'])
    expect(await Promise.all(frames.map(numberIn))).toEqual([0, 1])
  }
})

test('a page that becomes ineligible in the middle continues with screenshots, and every frame is correct', async () => {
  const page = changingPage(
    '<div style="perspective:300px"><b style="position:absolute;width:60px;height:60px;background:red"></b></div>',
    `document.querySelector('b').style.cssText += frame < 5 ? ';translate:' + frame + 'px' : ';translate:none;backdrop-filter:blur(1px);mix-blend-mode:multiply;rotate:' + frame * 9 + 'deg'`,
  )
  const { raster, screenshots, warnings } = await takeBoth(page, 9, 'auto')
  for (const [index, frame] of raster.entries()) expect(await psnrOf(frame, screenshots[index])).toBe(Infinity)
  expect(raster.map(({ format }) => format)).toEqual(Array(9).fill('rgba'))
  expect(warnings).toEqual([
    expect.objectContaining({ code: 'VID_LANE_FALLBACK', message: expect.stringContaining('with a blend mode') }),
  ])
})

test('a page that has become ineligible stays so in the next range, even if nothing changes in it', async () => {
  const page = changingPage(
    '<h1 style="perspective:200px;font:30px serif"><i style="display:block">Turned</i></h1>',
    `if (frame >= 5) document.querySelector('i').style.cssText = 'display:block;rotate:9deg;backdrop-filter:blur(1px);mix-blend-mode:multiply'`,
  )
  const projectDir = await makeProject({ 'index.html': page })
  const [auto, right] = await Promise.all(
    (['auto', 'screenshot'] as const).map(async (lane) => {
      const { session } = await openSession({}, { lane, projectDir })
      return [...(await take(session, 0, 8, 'rgba', 'png')), ...(await take(session, 8, 8, 'rgba', 'png'))]
    }),
  )
  for (const [index, frame] of (auto ?? []).entries()) expect(await psnrOf(frame, right?.[index])).toBe(Infinity)
})

/** Drawn wrongly by the raster lane from a frame on, without a change of the document. */
const brokenFrom = (first: number) =>
  changingPage(
    `<b style="${box}"></b>`,
    `if (frame < ${first} || globalThis.broken) return
     globalThis.broken = true
     document.styleSheets[0].insertRule('${DRAWN_WRONGLY}')`,
  )

test.each([0, 20])(
  'a page that is drawn wrongly from frame %i on fails its segment, and the retry is correct',
  async (first) => {
    const count = first + 21
    const projectDir = await makeProject({ 'index.html': brokenFrom(first) })
    const failing = await openSession({}, { lane: 'auto', projectDir })
    await expect(take(failing.session, 0, count, 'rgba', 'png')).rejects.toMatchObject({
      code: 'VID_LANE_UNFIT',
      final: false,
    })
    expect(failing.warnings).toEqual([
      expect.objectContaining({
        code: 'VID_LANE_FALLBACK',
        message: expect.stringMatching(
          /^The picture is correct, but a slower lane captures it: frame \d+ of the fastest lane does not equal its screenshot \(.*\d.*\)\.$/,
        ),
        hint: expect.stringMatching(/^You need not fix anything\./),
      }),
    ])
    const [again, right] = await Promise.all(
      (['auto', 'screenshot'] as const).map(async (lane) =>
        take((await openSession({}, { lane, projectDir })).session, 0, count, 'rgba', 'png'),
      ),
    )
    expect(again).toHaveLength(count)
    expect(again?.map(({ data }) => Buffer.from(data))).toEqual(right?.map(({ data }) => Buffer.from(data)))
  },
)

test("the page's scripts see the same document as in any other lane", async () => {
  const page = changingPage(
    `<div id="inner" style="${box}">text</div><style>:root > body > #root > #inner { color: rgb(1, 2, 3) }</style>
     <script>
       globalThis.records = 0
       new MutationObserver((list) => { records += list.filter(({ target }) => !target.closest?.('[data-vid-root]')).length })
         .observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['class', 'style'] })
     </script>`,
    `if (frame !== 2) return
     const rect = (e) => Object.values(e.getBoundingClientRect().toJSON())
     console.error(JSON.stringify([
       document.body.innerHTML.length, document.body.children.length, document.querySelectorAll('canvas,slot').length,
       root.parentElement.tagName, root.offsetParent.tagName, root.getRootNode() === document, root.assignedSlot,
       document.body.shadowRoot, document.elementFromPoint(60, 50).id, innerWidth, innerHeight,
       getComputedStyle(inner).color, ...[document.documentElement, document.body, root, inner].map(rect),
       document.body.offsetHeight, document.documentElement.scrollHeight, records, document.getAnimations().length,
     ]))`,
  )
  const facts = await Promise.all(
    (['raster', 'screenshot'] as const).map(async (lane) => {
      const { session, warnings } = await openSession(page, { lane })
      await take(session, 0, 4, 'rgba', 'png').catch(() => take(session, 0, 4, 'png'))
      return warnings.find(({ code }) => code === 'VID_CONSOLE_ERROR')?.message
    }),
  )
  expect(facts[0]).toContain('rgb(1, 2, 3)')
  expect(facts[0]).toBe(facts[1])
})

test('a session leaves no open file and no shared-memory file, also after many pages', async () => {
  const watch = watchDriver()
  const descriptors = () => readdirSync('/proc/self/fd').length
  await findBrowser()
  const before = descriptors()
  const { session } = await openSession(frameNumberPage(), { driver: watch.driver, lane: 'raster' })
  await take(session, 0, 2, 'rgba')
  const once = descriptors()
  for (let again = 0; again < 4; again++) await take(session, 0, 2, 'rgba')
  expect(descriptors()).toBeLessThanOrEqual(once + 1)
  await session.close()
  expect(descriptors()).toBeLessThanOrEqual(before + 1)
  expect(watch.profiles.filter(existsSync)).toEqual([])
})

test('without browser support, lane raster fails with an error and lane auto falls back', async () => {
  const { path, env } = await findBrowser()
  const executable = { path, env, version: '140.0', kind: 'headless-shell', source: 'option' } as const
  await expect(openSession(pageOf(''), { executable, lane: 'raster' })).rejects.toMatchObject({
    code: 'VID_LANE_UNAVAILABLE',
  })
  const { session, warnings } = await openSession(pageOf(''), { executable })
  expect((await take(session, 0, 1, 'rgba', 'png'))[0]?.format).toBe('png')
  expect(warnings).toEqual([])
})

test.each([
  ['webgl', [0, 3]],
  ['2d', [0, 29]],
])('of a page that is replayed and draws with %s, the frames %j are compared', async (kind, frames) => {
  const page = pageOf(`<canvas width="100" height="80"></canvas><script>{
    const context = document.currentScript.previousElementSibling.getContext('${kind}')
    const draw = (now) => {
      if ('clear' in context) {
        context.clearColor(now / 1000, 1, 0, 1)
        context.clear(context.COLOR_BUFFER_BIT)
      } else {
        context.fillStyle = 'rgb(' + now / 4 + ' 255 0)'
        context.fillRect(0, 0, 100, 80)
      }
      requestAnimationFrame(draw)
    }
    requestAnimationFrame(draw) }</script>`)
  const compared: number[] = []
  const driver = changePort(({ send, on }) => ({
    on,
    send(method, params) {
      const [, frame] = /raster\.compare\((\d+)/.exec(String(params?.expression)) ?? []
      if (frame !== undefined) compared.push(Number(frame))
      return send(method, params)
    },
  }))
  const { session, warnings } = await openSession(page, { driver })
  expect(await take(session, 0, 30, 'rgba')).toHaveLength(30)
  expect(warnings).toEqual([])
  expect(compared).toEqual(frames)
})

/** A page that moves, and is as bright as its garbage was collected often. */
const collectedPage =
  pageOf(`<i id="bar" style="position:absolute;top:0;width:9px;height:9px;background:red"></i><script>
  let frame = 0
  const framesAfter = new Set()
  const registry = new FinalizationRegistry(() => framesAfter.add(frame))
  addEventListener('vid-seek', ({ detail }) => {
    frame = Math.round(detail.time * 30)
    registry.register({})
    bar.style.left = frame + 'px'
    root.style.background = 'rgb(' + Array(3).fill(framesAfter.size * 5) + ')'
  })</script>`)

test('a large page that moves is collected every few frames: not after each, and not after hundreds', async () => {
  const scale = 6
  const { session } = await openSession(collectedPage, { lane: 'raster', scale })
  let collections = 0
  // It ends before the last frame, which is compared: no other page is collected at the same times.
  for await (const { index, data } of session.frames({ index: 0, start: 0, frames: 40 }, ['yuv420p'])) {
    const [centre = 0] = data.subarray(((height * scale) / 2 + 0.5) * width * scale)
    collections = Math.round((((centre - 16) / 219) * 255) / 5)
    if (index === 32) break
  }
  expect(collections).toBeGreaterThan(0)
  expect(collections).toBeLessThan(11)
})
