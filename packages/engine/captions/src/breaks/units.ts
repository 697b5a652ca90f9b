import { isWithoutSpaces } from '../model/scripts.ts'

/** A part of a text that stays on one line. */
export interface TextUnit {
  readonly text: string
  /** Offset in the whole text. */
  readonly offset: number
  /** Whether a space follows; the next unit otherwise touches it. */
  readonly hasSpace: boolean
}

/** Marks that no line begins with. */
const NO_START = /^[\p{Pe}\p{Pf}、。，．・：；？！ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々〜…‥,.:;?!%°ๆฯ\p{M}]/u

/** Marks that no line ends with. */
const NO_END = /[\p{Ps}\p{Pi}$£¥€]$/u

/** Words of a passage without spaces, with the marks that belong to them. */
const wordsOf = (passage: string, language: string | undefined): string[] => {
  const words: string[] = []
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'word' }).segment(passage)) {
    const last = words.at(-1)
    const joins = last !== undefined && (NO_START.test(segment) || NO_END.test(last) || !touchesWithout(last, segment))
    if (joins) words[words.length - 1] = last + segment
    else words.push(segment)
  }
  return words
}

/** Whether a line may break between two parts that touch: one of them is of a script without spaces. */
const touchesWithout = (before: string, after: string): boolean =>
  isWithoutSpaces([...before].at(-1) ?? '') || isWithoutSpaces([...after][0] ?? '')

/** Cuts a text where lines may break: at spaces and, in scripts without them, between words. */
export const unitsOf = (text: string, language?: string): TextUnit[] =>
  [...text.matchAll(/[^\s\u200b]+/gu)].flatMap(({ 0: passage, index }) => {
    const words = [...passage].some(isWithoutSpaces) ? wordsOf(passage, language) : [passage]
    let offset = index
    return words.map((word, number) => {
      const unit = {
        text: word,
        offset,
        hasSpace: number === words.length - 1 && /^\s/u.test(text.slice(offset + word.length)),
      }
      offset += word.length
      return unit
    })
  })

/** A text as the characters that a reader sees: an emoji of several code points is one. */
export const charactersOf = (text: string): string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment)

/** Cuts units that are wider than a line: after a hyphen or a slash, else between characters. */
export const cutWideUnits = (
  units: readonly TextUnit[],
  widthOf: (text: string) => number,
  maxWidth: number,
): TextUnit[] =>
  units.flatMap((unit) => {
    if (widthOf(unit.text) <= maxWidth) return [unit]
    const pieces: string[] = []
    for (const part of unit.text.split(/(?<=[-‐–—/])/u))
      for (const character of widthOf(part) <= maxWidth ? [part] : charactersOf(part)) {
        const last = pieces.at(-1)
        if (last !== undefined && widthOf(last + character) <= maxWidth) pieces[pieces.length - 1] = last + character
        else pieces.push(character)
      }
    let { offset } = unit
    return pieces.map((text, index) => {
      const piece = { text, offset, hasSpace: unit.hasSpace && index === pieces.length - 1 }
      offset += text.length
      return piece
    })
  })
