import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodePng } from '@vid/testkit'
import { expect, test } from 'vitest'
import { colourFrames, differences, type Patch } from '../support/colours.ts'
import { here, scratch, vidInProcess as vid } from '../support/vid.ts'
import { box, compare, projectOf, renderAllWays, within } from '../support/ways.ts'

test('every spelling of a window shows its element there and nowhere else, in paint order', async () => {
  const { frames, stderr } = await renderAllWays(here('projects/windows'))
  const red = '#ff0000'
  const green = '#00ff00'
  const blue = '#0000ff'
  const white = '#ffffff'
  const cell = (x: number, y: number, colour: string) => box(x, y, 20, 20, colour)
  const scene = (t: number): Patch[] => {
    const during = (start: number, end: number | undefined, ...patches: Patch[]) =>
      within(t, start, end) ? patches : []
    return [
      ...during(0.5, 1, cell(0, 0, red)),
      ...during(1, 1.25, cell(30, 0, green)),
      ...during(1.5, 1.75, cell(60, 0, blue)),
      ...during(0.75, 1, cell(90, 0, white)),
      ...during(0, 0.25, cell(120, 0, red)),
      ...during(1.5, undefined, cell(150, 0, green)),
      ...during(0.5, 1, cell(180, 0, blue)),
      ...during(0.75, 1, cell(210, 0, white)),
      // Inside a composition that is shown from 0.25 to 0.75.
      ...during(0.5, 0.75, cell(240, 0, red)),
      ...during(0, 1.5, cell(270, 0, green)),
      ...during(0.5, 1, cell(0, 30, red), cell(30, 30, green)),
      ...during(0, 0.5, cell(60, 30, blue)),
      cell(160, 40, green),
      cell(150, 30, red),
      cell(200, 30, red),
      cell(210, 40, green),
      box(0, 80, 100, 20, '#202020'),
      box(0, 80, 10, 10, red),
      box(90, 110, 10, 10, green),
      box(110, 80, 100, 40, blue),
    ]
  }
  expect(frames).toHaveLength(60)
  expect(compare(frames, scene)).toEqual([])
  expect(stderr).not.toContain('warning')
})

const filled = (root: string) => `<!doctype html><html ${root.startsWith('html') ? root.slice(4) : ''}>
  <head><style>html,body{margin:25px;padding:9px}p{position:absolute;left:0;top:0;width:8px;height:8px;margin:0;background:#0f0}</style></head>
  <body ${root.startsWith('body') ? root.slice(4) : ''}><p></p><script>
  for (const each of document.querySelectorAll('[data-composition-id]'))
    for (const [name, value] of [['width', 9], ['height', 9], ['duration', 9]]) each.setAttribute('data-' + name, value)
  </script></body></html>`

test.each(['html', 'body'])(
  'a root that is <%s> fills the frame, and no script changes its size or length',
  async (tag) => {
    const attributes = `${tag} data-composition-id="x" data-width="64" data-height="36" data-duration="0.1" style="background:#f00"`
    const project = await projectOf({ 'index.html': filled(attributes) })
    const output = join(await scratch(), 'out.mp4')
    const run = await vid(['render', project, '-o', output, '--crf', '0'])
    expect(run, run.stderr).toMatchObject({ code: 0 })
    const frames = await colourFrames(output)
    expect(frames).toHaveLength(3)
    const root = [box(0, 0, 64, 36, '#ff0000'), box(0, 0, 8, 8, '#00ff00')]
    for (const frame of frames) expect(differences(frame, root, 64, 36)).toEqual([])
  },
)

test('an !important page background is transparent too, and the background of the root stays', async () => {
  const project = await projectOf({
    'index.html': `<!doctype html><html style="background:red!important"><head><style>body.a#b{background:red!important;margin:9px!important}</style></head>
    <body class="a" id="b"><div data-composition-id="x" data-width="64" data-height="36" data-duration="0.1" style="background:linear-gradient(#00f,#00f) no-repeat;background-size:32px 36px"></div></body></html>`,
  })
  const folder = await scratch()
  const run = await vid(['snapshot', project, '-o', folder, '--at', '0', '--alpha'])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const { data } = decodePng(await readFile(join(folder, 'snapshot_0s.png')))
  const pixel = (x: number) => [...data.subarray((3 * 64 + x) * 4, (3 * 64 + x) * 4 + 4)]
  expect([pixel(0), pixel(30), pixel(34), pixel(63)]).toEqual([
    [0, 0, 255, 255],
    [0, 0, 255, 255],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ])
})
