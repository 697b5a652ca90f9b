import { expect, test } from 'vitest'
import { psnrOf, takeBoth } from '../../fixtures/pictures.ts'
import { pageOf } from '../../fixtures/session.ts'

const later = (on: string, off: string) =>
  `<script>setTimeout(() => { ${on} }, 95); setTimeout(() => { ${off} }, 195)</script>`

const fading = `#layer { transition: opacity 0.2s linear, overlay 0.2s allow-discrete, display 0.2s allow-discrete; opacity: 0; outline: none; border: 0; padding: 40px; background: #c00 }
  #layer:popover-open, #layer[open] { opacity: 1 }`

test.each([
  ['a popover', `<div popover id="layer">a</div>`, 'layer.showPopover()', 'layer.hidePopover()'],
  ['a hint', `<div popover="hint" id="layer">a</div>`, 'layer.togglePopover()', 'layer.togglePopover()'],
  ['a modal dialog', `<dialog id="layer">a</dialog>`, 'layer.showModal()', 'layer.close()'],
  [
    'a popover that fades',
    `<style>${fading}</style><div popover id="layer">a</div>`,
    'layer.showPopover()',
    'layer.hidePopover()',
  ],
  [
    'a dialog that fades',
    `<style>${fading}</style><dialog id="layer">a</dialog>`,
    'layer.showModal()',
    'layer.close()',
  ],
  [
    'a popover in a shadow tree',
    `<div id="host"></div><script>const top2 = (host.attachShadow({ mode: 'open' }).innerHTML = '<p popover>a</p>', host.shadowRoot.firstChild)</script>`,
    'top2.showPopover()',
    'top2.hidePopover()',
  ],
])('%s that comes and goes is in every frame', async (_name, content, on, off) => {
  const { raster, screenshots } = await takeBoth(pageOf(content + later(on, off)), 12, 'auto')
  expect(await psnrOf(screenshots[2], screenshots[5])).toBeLessThan(50)
  for (const [index, frame] of raster.entries())
    expect(await psnrOf(frame, screenshots[index]), `frame ${index}`).toBeGreaterThan(45)
})
