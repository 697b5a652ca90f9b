import { bundledGlyphs } from '@vid/assets'
import { drawnCharacters, groupCharacters } from '@vid/core'
import type { Warning } from '@vid/protocol'
import { captureWarning } from '../capture-warnings.ts'
import type { CapturePage } from './page.ts'
import { callPage } from './page-call.ts'

/** The character that a browser shows for bytes that are not valid text. */
const REPLACEMENT = '\uFFFD'

/** Creates a check of a page's text that warns, once for each, of characters that are drawn as boxes. */
export const createGlyphWatch = (page: CapturePage, warn: (warning: Warning) => void): (() => Promise<void>) => {
  const checked = new Set<string>()
  const report = { doing: 'checking its characters' }
  return async () => {
    const all = await callPage(page, report, 'characters')
    const fresh = drawnCharacters(all).filter((character) => !checked.has(character))
    if (fresh.length === 0) return
    for (const character of fresh) checked.add(character)
    const isBundled = await bundledGlyphs()
    const suspects = fresh.filter((character) => !isBundled(character)).join('')
    if (suspects === '') return
    const missing = await callPage(page, report, 'missingGlyphs', suspects)
    const elementOf = new Map(
      missing.flatMap(({ characters, element }) => [...characters].map((character) => [character, element] as const)),
    )
    const damaged = elementOf.get(REPLACEMENT)
    if (damaged !== undefined) warn(captureWarning('VID_TEXT_DAMAGED', { element: damaged }))
    for (const group of groupCharacters([...elementOf.keys()].filter((character) => character !== REPLACEMENT)))
      warn(
        captureWarning('VID_LETTERS_MISSING', {
          group,
          element: elementOf.get(group.characters[0] ?? '') ?? '',
        }),
      )
  }
}
