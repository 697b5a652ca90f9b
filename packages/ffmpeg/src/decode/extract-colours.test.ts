import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeColourVideo, shownQuarters } from '../fixtures/colour-cell.ts'
import { colourSample } from '../fixtures/colour-grid.ts'
import { extractedQuarters } from '../fixtures/shown-colours.ts'
import { everyFfmpeg, scratch } from '../fixtures/sliding-bar.ts'
import { findFfmpeg } from '../index.ts'

/** By as much a colour may differ after encoding, and one rounding to eight bits more. */
const TOLERANCE = 5

const builds = await everyFfmpeg()
const encoder = await findFfmpeg()

describe.each(colourSample())(
  '$codec with $pixFmt, range $range, matrix $matrix, primaries $primaries, turned by $rotation, $size',
  (cell) => {
    test('is extracted in its colours', async () => {
      const folder = await scratch()
      const file = await makeColourVideo(folder, cell, encoder)
      for (const [index, tools] of builds.entries())
        for (const format of ['jpg', 'png'] as const) {
          const colours = await extractedQuarters(file, format, { folder: join(folder, `${index}-${format}`), tools })
          const expected = shownQuarters(cell)
          const differences = colours.flat().map((value, n) => Math.abs(value - (expected.flat()[n] ?? 0)))
          expect(Math.max(...differences), `${tools.version} ${format}: ${colours.join(' / ')}`).toBeLessThan(TOLERANCE)
        }
    })
  },
)
