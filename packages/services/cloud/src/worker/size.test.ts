import { expect, test } from 'vitest'
import { chooseSize } from './size.ts'

const size = (width: number, height: number) => ({ width, height })

test.each([
  ['a full HD page keeps its size', size(1920, 1080), '1080p', undefined, { picture: size(1920, 1080) }],
  ['a small page is scaled up', size(640, 360), '1080p', '16:9', { picture: size(1920, 1080) }],
  ['a 4k picture of it has twice the sides', size(1920, 1080), '4k', undefined, { picture: size(3840, 2160) }],
  ['a large page is scaled down', size(3840, 2160), '1080p', undefined, { picture: size(1920, 1080) }],
  ['a tall page has its width as the shorter side', size(720, 1280), '1080p', '9:16', { picture: size(1080, 1920) }],
  [
    'any other shape is kept when none is asked for',
    size(1500, 1000),
    '1080p',
    undefined,
    { picture: size(1620, 1080) },
  ],
  [
    'a wide page is laid out anew as a tall one',
    size(1280, 720),
    '1080p',
    '9:16',
    { layout: size(720, 1280), picture: size(1080, 1920) },
  ],
  [
    'a wide page is laid out anew as a square',
    size(1920, 1080),
    '4k',
    '1:1',
    { layout: size(1080, 1080), picture: size(2160, 2160) },
  ],
  [
    'a page that is laid out anew gets the nearest size of whole pixels',
    size(854, 480),
    '1080p',
    '16:9',
    { layout: size(848, 477), picture: size(1920, 1080) },
  ],
] as const)('%s', (_title, page, resolution, ratio, expected) => {
  expect(chooseSize(page, { resolution, ...(ratio && { aspect_ratio: ratio }) })).toEqual(expected)
})

test.each([
  [size(854, 480), '1080p', ['852x480', '856x480']],
  [size(480, 854), '1080p', ['480x852', '480x856']],
  [size(1001, 1000), '4k', ['1000x1000', '1025x1000']],
  [size(20_000, 100), '1080p', []],
] as const)(
  'a picture of $0 with a fraction of a pixel, or too many, is refused, with pages that fit',
  (page, resolution, near) => {
    expect(() => chooseSize(page, { resolution })).toThrow(
      expect.objectContaining({
        code: 'VID_CLOUD_SIZE',
        fault: 'caller',
        facts: expect.objectContaining({ near }),
      }),
    )
    for (const sizeText of near) {
      const [width = 0, height = 0] = sizeText.split('x').map(Number)
      expect(chooseSize({ width, height }, { resolution })).not.toHaveProperty('layout')
    }
  },
)
