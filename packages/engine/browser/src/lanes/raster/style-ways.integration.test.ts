import { comparePictures } from '@vid/runtime'
import { expect, test } from 'vitest'
import { partOf } from '../../../../../../scripts/dev/part-of.ts'
import { takeBoth } from '../../fixtures/pictures.ts'
import { height, pageOf, pixelsOf, width } from '../../fixtures/session.ts'
import { pageOfWay, ways } from '../../fixtures/style-ways.ts'

test.each(partOf(Object.entries(ways), 17))(
  'depth and glass that come and go by %s are drawn in every frame',
  async (_name, way) => {
    const [content, style] = pageOfWay(way)
    const { raster, screenshots, warnings } = await takeBoth(pageOf(content, style), 8, 'auto')
    const shots = await Promise.all(screenshots.map(pixelsOf))
    expect(Buffer.compare(shots[2] as Uint8Array, shots[4] as Uint8Array), 'the way does something').not.toBe(0)
    const wrong: string[] = []
    for (const [index, frame] of raster.entries()) {
      const shape = { width, height, planar: false, smoothed: true }
      const { psnr, worstBlock } = comparePictures(await pixelsOf(frame), shots[index] as Uint8Array, shape)
      if ((psnr ?? Infinity) < 45 || worstBlock > 25)
        wrong.push(`frame ${index}: ${psnr?.toFixed(1)} dB, ${worstBlock}`)
    }
    expect({ wrong, warnings: warnings.map(({ message }) => message) }).toEqual({ wrong: [], warnings: [] })
  },
)
