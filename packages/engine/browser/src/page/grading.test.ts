import { type Colour, GRADING_PRESETS, gradeColour, readGrading } from '@vid/runtime'
import { encodePng } from '@vid/testkit'
import { expect, test } from 'vitest'
import { openSession, pageOf, pixelAt, pixelsOf, take } from '../fixtures/session.ts'

const CELL_WIDTH = 16
const CELL_HEIGHT = 8
const COLUMNS = 20

const colours: readonly Colour[] = [
  [255, 255, 255],
  [128, 128, 128],
  [10, 10, 10],
  [220, 40, 30],
  [30, 160, 60],
  [20, 60, 200],
  [200, 150, 120],
  [90, 110, 100],
]

const fields = [
  'exposure',
  'contrast',
  'highlights',
  'shadows',
  'whites',
  'blacks',
  'temperature',
  'tint',
  'vibrance',
  'saturation',
]

const gradings: readonly unknown[] = [
  ...fields.flatMap((field) => [{ adjust: { [field]: 0.6 } }, { adjust: { [field]: -0.5 } }]),
  ...Object.keys(GRADING_PRESETS).map((preset) => ({ preset })),
  { preset: 'deep-contrast', intensity: 0.4, colorSpace: 'rec709' },
  { preset: 'mono-clean', adjust: { saturation: 0.3, vibrance: -0.4, exposure: 1.5 }, intensity: 0.7 },
]

const picture = ([red, green, blue]: Colour): string => {
  const png = encodePng({ width: 1, height: 1, data: Uint8Array.of(red, green, blue, 255) })
  return `data:image/png;base64,${Buffer.from(png).toString('base64')}`
}

const cell = (index: number, colour: Colour, attributes: string) => {
  const left = (index % COLUMNS) * CELL_WIDTH
  const top = Math.floor(index / COLUMNS) * CELL_HEIGHT
  return `<img src="${picture(colour)}" style="left:${left}px;top:${top}px" ${attributes}>`
}

const style = `img { position: absolute; width: ${CELL_WIDTH}px; height: ${CELL_HEIGHT}px }`

/** The colour in the middle of each cell of a frame. */
const shownBy = async (page: string, cells: number, frame = 0): Promise<number[][]> => {
  const { session } = await openSession(page)
  const [firstPicture] = await take(session, frame, 1)
  if (!firstPicture) throw new Error('no frame')
  const pixels = await pixelsOf(firstPicture)
  return Array.from({ length: cells }, (_, index) =>
    pixelAt(
      pixels,
      (index % COLUMNS) * CELL_WIDTH + CELL_WIDTH / 2,
      Math.floor(index / COLUMNS) * CELL_HEIGHT + CELL_HEIGHT / 2,
    ).slice(0, 3),
  )
}

const expectedOf = (grading: unknown, [red, green, blue]: Colour, variables = {}): number[] => {
  const settings = readGrading(JSON.stringify(grading), variables)
  const colour: Colour = [red / 255, green / 255, blue / 255]
  return (settings ? gradeColour(settings, colour) : colour).map((value) => value * 255)
}

const distance = (one: readonly number[], other: readonly number[]) =>
  Math.max(...one.map((value, channel) => Math.abs(value - (other[channel] ?? 0))))

test('every field and preset gives the computed colour for every input colour', async () => {
  const cells = gradings.flatMap((grading) => colours.map((colour) => ({ grading, colour })))
  const html = cells.map(({ grading, colour }, index) =>
    cell(index, colour, `data-color-grading='${JSON.stringify(grading)}'`),
  )
  const cellColours = await shownBy(pageOf(html.join(''), style), cells.length)
  const wrong = cells.flatMap(({ grading, colour }, index) => {
    const expected = expectedOf(grading, colour)
    const actual = cellColours[index] ?? []
    return distance(actual, expected) <= 3
      ? []
      : [`${JSON.stringify(grading)} of ${colour}: ${actual}, not ${expected.map(Math.round)}`]
  })
  expect(wrong).toEqual([])
})

test('a grading is applied before the filter of the element, and both are updated in each frame', async () => {
  const grading = { adjust: { saturation: -1 } }
  const graded = `data-color-grading='${JSON.stringify(grading)}'`
  const red: Colour = [200, 40, 40]
  const html = `
    ${cell(0, red, `class="own" ${graded}`)}
    ${cell(1, red, `id="late"`)}
    ${cell(2, red, `id="faded" ${graded}`)}
    <script>
      addEventListener('vid-seek', ({ detail }) => {
        if (detail.frame >= 5) late.dataset.colorGrading = '${JSON.stringify(grading)}'
        window.seen = getComputedStyle(faded).filter
        faded.style.filter = seen.includes('url') ? 'none' : 'invert(' + detail.time * 3 + ')'
      })
    </script>`
  const page = pageOf(html, `${style} .own { filter: invert(1) }`)
  const [grey = 0] = expectedOf(grading, red)
  const [before, after] = await Promise.all([shownBy(page, 3), shownBy(page, 3, 10)])
  const near = (value: number) => [value, value, value].map((channel) => expect.closeTo(channel, -0.5))
  expect(before).toEqual([near(255 - grey), [...red], near(grey)])
  expect(after).toEqual([near(255 - grey), near(grey), near(255 - grey)])
})

test('the transparent part of a graded picture stays transparent', async () => {
  const png = encodePng({ width: 2, height: 1, data: Uint8Array.of(200, 40, 40, 255, 200, 40, 40, 0) })
  const source = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
  const grading = { adjust: { vibrance: 0.5, blacks: 1 }, intensity: 0.5 }
  const html = `<img src="${source}" style="left:0;top:0;image-rendering:pixelated;width:32px"
    data-color-grading='${JSON.stringify(grading)}'>`
  const cellColours = await shownBy(pageOf(html, style), 2)
  expect(distance(cellColours[0] ?? [], expectedOf(grading, [200, 40, 40]))).toBeLessThanOrEqual(3)
  expect(cellColours[1]).toEqual([255, 255, 255])
})
