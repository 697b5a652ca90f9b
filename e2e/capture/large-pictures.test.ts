import { decodeFrames } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { threeStills } from '../support/stills.ts'
import { projectOf } from '../support/ways.ts'

/** An eighth of the picture, in which the box is found. */
const SMALL = { width: 960, height: 540 }

/** A box at (7000..7499, 4000..4199). */
const page = `<!doctype html><html><body>
<div id="root" data-composition-id="main" data-width="7680" data-height="4320" data-duration="0.1" style="background:#000">
<div style="position:absolute;right:180px;bottom:120px;width:500px;height:200px;background:#fff"></div>
</div></body></html>`

test.each(partOf(['raster', 'begin-frame', 'screenshot'], 1))(
  'every frame of a picture of 8K is drawn in the lane %s',
  async (lane) => {
    const config = `import puppeteer from '@vid/capture-puppeteer'
export default { capture: puppeteer({ lane: '${lane}' }) }
`
    const stills = await threeStills(await projectOf({ 'index.html': page, 'vid.config.ts': config }), 'index')
    expect(stills).toHaveLength(3)
    for (const { path, frame } of stills)
      for await (const small of decodeFrames(path, { pixFmt: 'gray', scale: SMALL })) {
        const at = (x: number, y: number) => small[Math.floor(y / 8) * SMALL.width + Math.floor(x / 8)]
        const points = [at(7200, 4100), at(7040, 4050), at(7450, 4150), at(6900, 4100), at(7600, 4100), at(100, 100)]
        expect(points, `frame ${frame}`).toEqual([255, 255, 255, 0, 0, 0])
      }
  },
)
