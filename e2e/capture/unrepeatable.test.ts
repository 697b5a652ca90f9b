import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch, vidInProcess as vid } from '../support/vid.ts'
import { projectOf } from '../support/ways.ts'

/** A visualiser of noise that never stops, as fast as the machine encodes its pictures. */
const PAGE = `<!doctype html><html><body><div id="root" data-composition-id="noise" data-width="160" data-height="90" data-duration="0.2">
  <canvas id="canvas" width="160" height="90"></canvas><script>
    const context = canvas.getContext('2d')
    let value = 1
    const draw = () => {
      const pixels = context.createImageData(160, 90)
      for (let at = 0; at < pixels.data.length; at++) {
        value = (Math.imul(value, 1664525) + 1013904223) >>> 0
        pixels.data[at] = at % 4 === 3 ? 255 : value >>> 24
      }
      context.putImageData(pixels, 0, 0)
      canvas.toBlob(draw)
    }
    draw()
  </script></div></body></html>`

test('a page that cannot be repeated is named, also where its segments are reused, and refused by --strict', async () => {
  const project = await projectOf({ 'index.html': PAGE })
  const render = async (...flags: string[]) => {
    const { code, stdout } = await vid([
      'render',
      project,
      '-o',
      join(await scratch(), 'noise.mp4'),
      '--json',
      ...flags,
    ])
    return { code, text: stdout }
  }
  for (const _again of [1, 2]) {
    const { code, text } = await render()
    expect(code).toBe(0)
    expect(text).toContain('VID_PAGE_UNREPEATABLE')
    expect(text).not.toContain('The picture is correct')
  }
  const { code, text } = await render('--strict')
  expect(code).toBe(1)
  expect(text).toContain('VID_RENDER_STRICT')
})
