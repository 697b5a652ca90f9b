import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { differenceOf } from '../support/same-picture.ts'
import { scratch, vidInProcess } from '../support/vid.ts'
import { projectOf } from '../support/ways.ts'

const styles = `<style>
  body { margin: 0 } #root { position: relative; background: #fff }
  #inside { position: absolute; left: 3.3px; top: 2.7px; width: 300px; height: 170px }
  .box { position: absolute; width: 7px; height: 7px; background: #124 }
  .box b { position: absolute; left: 1.5px; top: 1.5px; width: 3px; height: 3px; background: #fc0 }
</style>`

/** Turns boxes at broken places: the browser rounds these otherwise once a box is turned, but not while it turns. */
const script = `<script>
  const boxes = Array.from({ length: 20 }, (_, index) => {
    const box = document.createElement('div')
    box.className = 'box'
    box.style.left = 10 + index * 14.3 + 'px'
    box.style.top = 10 + index * 7.7 + 'px'
    box.append(document.createElement('b'))
    inside.append(box)
    return box
  })
  top.addEventListener('vid-seek', ({ detail: { time } }) => {
    for (const [index, box] of boxes.entries()) box.style.transform = 'rotate(' + time * (index + 1) * 3 + 'deg)'
  })
</script>`

const composition = (content: string, after = '') => `<!doctype html><html><head><meta charset="utf-8">${styles}</head>
<body><div id="root" data-composition-id="boxes" data-width="320" data-height="180" data-duration="0.4" data-no-timeline>
${content}</div>${after}</body></html>`

const frame = '<iframe src="inner.html" style="border: 0; width: 320px; height: 180px"></iframe>'
const pages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a plain page': { 'index.html': composition('<div id="inside"></div>', script) },
  'a page with complete containment': {
    'index.html': composition('<div id="inside" style="contain: strict"></div>', script),
  },
  'a frame of a page': {
    'index.html': composition(frame),
    'inner.html': `<!doctype html>${styles}<body><div id="inside"></div>${script}</body>`,
  },
}

const config = (lane: string) => `import puppeteer from '@vid/capture-puppeteer'
export default { capture: puppeteer({ lane: '${lane}' }) }
`

test.each(
  partOf(
    Object.keys(pages).flatMap((name) =>
      ['raster', 'begin-frame', 'screenshot']
        .filter((lane) => lane !== 'raster' || !pages[name]?.['inner.html'])
        .map((lane) => [name, lane] as const),
    ),
    3,
  ),
)('%s shows the same in a frame alone and after others, in the lane %s', async (name, lane) => {
  const project = await projectOf({ ...pages[name], 'vid.config.mjs': config(lane) })
  const folder = await scratch()
  const all = ['render', project, '--format', 'png-sequence', '-q', 'draft', '-o', join(folder, 'all')]
  expect(await vidInProcess(all)).toMatchObject({ code: 0 })
  for (const number of [5, 11]) {
    const alone = join(folder, `alone-${number}`)
    const words = ['snapshot', project, '--at', `${number}f`, '-o', alone]
    expect(await vidInProcess(words)).toMatchObject({ code: 0 })
    const pictures = await Promise.all([
      readFile(join(alone, `snapshot_${number}f.png`)),
      readFile(join(folder, 'all', `frame_${String(number).padStart(6, '0')}.png`)),
    ])
    expect(differenceOf(...pictures)).toEqual({ pixels: 0, most: 0 })
  }
})
