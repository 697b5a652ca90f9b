import { bundledGlyphs } from '@vid/assets'
import { drawnCharacters, groupCharacters } from '@vid/core'
import type { Warning } from '@vid/kernel'
import type { MissingLetters } from '@vid/runtime'
import { captureWarnings } from '../capture-errors.ts'
import type { CapturePage } from './page.ts'

/** Makes a look at a page's text that warns of letters which are drawn as boxes, of each once. */
export const createGlyphCheck = (
  page: CapturePage,
  warn: (warning: Warning) => void,
): (() => Promise<void>) => {
  const known = new Set<string>()
  return async () => {
    const all = (await page.evaluate('__vidHost.letters()', 'looking at its letters')) as string
    const fresh = drawnCharacters(all).filter((letter) => !known.has(letter))
    if (fresh.length === 0) return
    for (const letter of fresh) known.add(letter)
    const hasLetter = await bundledGlyphs()
    const suspects = fresh.filter((letter) => !hasLetter(letter)).join('')
    if (suspects === '') return
    const command = `__vidHost.missingLetters(${JSON.stringify(suspects)})`
    const missing = (await page.evaluate(command, 'looking at its letters')) as MissingLetters[]
    const elementOf = new Map(
      missing.flatMap(({ letters, element }) => [...letters].map((letter) => [letter, element] as const)),
    )
    for (const group of groupCharacters([...elementOf.keys()]))
      warn(captureWarnings.letters(group, elementOf.get(group.characters[0] ?? '') ?? ''))
  }
}
