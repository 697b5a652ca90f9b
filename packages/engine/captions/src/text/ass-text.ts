import type { CaptionWord } from '../model/cue.ts'
import { withoutEmptyLines } from './lines.ts'

/** A point of the picture of a script, as far as tags name one. */
interface AssPoint {
  readonly x: number
  readonly y: number
}

/** What the text of a line of ASS holds. */
export interface AssText {
  readonly text: string
  readonly words?: readonly CaptionWord[]
  /** 1 to 9 as on a keypad; undefined where the style decides. */
  readonly alignment?: number
  readonly position?: AssPoint
}

/** The alignments of `\\a` and of SSA, which count otherwise, on a keypad. */
export const alignmentOfSsa = (value: number): number => {
  const column = value & 3
  if (value & 4) return 6 + column
  return value & 8 ? 3 + column : column
}

const numberOf = (tags: string, pattern: RegExp): number | undefined => {
  const value = pattern.exec(tags)?.[1]
  return value === undefined ? undefined : Number(value)
}

const pointOf = (tags: string): AssPoint | undefined => {
  const [, x, y] = /\\(?:pos|move)\(\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)/.exec(tags) ?? []
  return x === undefined || y === undefined ? undefined : { x: Number(x), y: Number(y) }
}

/** The plain characters of a piece: `\\N` is a line break, `\\h` a hard space. */
const plain = (piece: string): string =>
  piece.replace(/\\([Nnh])/g, (_, letter: string) => ({ N: '\n', n: ' ' })[letter] ?? '\u00a0')

/** Reads the text of a line: tags are left out, those of karaoke become the times of words, drawings are no text. */
export const readAssText = (source: string, start: number, end: number): AssText => {
  let text = ''
  let tags = ''
  let isDrawing = false
  let time = start
  const words: CaptionWord[] = []
  let open: { readonly from: number; readonly until: number; text: string } | undefined
  const close = () => {
    const word = open && withoutEmptyLines(open.text)
    if (open && word) words.push({ text: word, start: open.from, end: Math.min(open.until, end) })
    open = undefined
  }
  for (const part of source.split(/(\{[^{}]*\})/)) {
    const block = /^\{(.*)\}$/s.exec(part)?.[1]
    if (block === undefined) {
      if (isDrawing) continue
      text += plain(part)
      if (open) open.text += plain(part)
      continue
    }
    // Without a backslash, it is a comment.
    if (!block.includes('\\')) continue
    tags += block
    const scale = numberOf(block, /\\p(\d+)/)
    if (scale !== undefined) isDrawing = scale > 0
    for (const [, hundredths] of block.matchAll(/\\[kK][fo]?(\d+)/g)) {
      close()
      const until = Math.round((time + Number(hundredths) / 100) * 1000) / 1000
      open = { from: time, until, text: '' }
      time = until
    }
  }
  close()
  const ssa = numberOf(tags, /\\a(\d+)/)
  const alignment = numberOf(tags, /\\an(\d)/) ?? (ssa === undefined ? undefined : alignmentOfSsa(ssa))
  const position = pointOf(tags)
  return {
    text: withoutEmptyLines(text),
    ...(words.length > 0 && { words }),
    ...(alignment !== undefined && { alignment }),
    ...(position && { position }),
  }
}
