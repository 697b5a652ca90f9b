import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodePng } from '@vid/testkit'
import { expect, test } from 'vitest'
import { isWhole } from '../../scripts/dev/part-of.ts'
import { copyOf, GALLERY } from '../support/gallery.ts'
import { openBrowser, openPausedPlayer } from '../support/paused-player.ts'
import { threeStills } from '../support/stills.ts'

/** What a paused player may show otherwise than a render, by project and entry; docs/preview.md says why. */
const KNOWN: Readonly<Record<string, { readonly pixels: number; readonly most: number }>> = {
  // A render decodes H.264 in its page, a preview shows extracted pictures.
  'media/index': { pixels: 80_000, most: 48 },
  // The end of a text: its last character is smoothed over the edge of its box.
  'nested-parts/index': { pixels: 1, most: 16 },
  // Its only font is not there: the last one that a browser takes is its own.
  'same-names/index': { pixels: 60, most: 255 },
}

/** How many pixels differ, and by how much at most. */
const difference = (one: Buffer, other: Buffer) => {
  const a = decodePng(one)
  const b = decodePng(other)
  expect({ width: a.width, height: a.height }).toEqual({ width: b.width, height: b.height })
  let pixels = 0
  let most = 0
  for (let offset = 0; offset < a.data.length; offset += 4) {
    const by = Math.max(
      ...[0, 1, 2].map((part) => Math.abs((a.data[offset + part] ?? 0) - (b.data[offset + part] ?? 0))),
    )
    if (by > 0) pixels += 1
    most = Math.max(most, by)
  }
  return { pixels, most }
}

/** The projects that are tried; all of them with `npm run lab -- preview-gallery`. */
const FEW: ReadonlySet<string> = new Set(['variables'])

const CONFIG = 'export default {}\n'

test.each(GALLERY.filter(([project]) => isWhole || FEW.has(project)))(
  'a paused player shows %s as a render draws it: %j',
  async (project, entries) => {
    const folder = await copyOf(project, CONFIG)
    for (const entry of entries) {
      // As the browser of the player draws.
      const stills = await threeStills(folder, entry, '--raster', 'portable')
      const player = await openPausedPlayer(await openBrowser(), folder, `${entry}.html`)
      // Onwards, as it is played, and back: a picture must not depend on the ones before.
      for (const { path, frame } of [...stills, ...stills.slice(0, -1).reverse()]) {
        const deviation = difference(await player.shot(frame), await readFile(path))
        const limit = KNOWN[join(project, entry)] ?? { pixels: 0, most: 0 }
        const place = `${project} ${entry} at frame ${frame}`
        if (isWhole) console.log(project, entry, frame, JSON.stringify(deviation))
        expect.soft(deviation.pixels, place).toBeLessThanOrEqual(limit.pixels)
        expect.soft(deviation.most, place).toBeLessThanOrEqual(limit.most)
      }
    }
  },
)
