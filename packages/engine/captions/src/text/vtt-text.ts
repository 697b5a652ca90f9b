import type { CaptionWord, Cue } from '../model/cue.ts'
import { withoutEmptyLines } from './lines.ts'
import { parseTimestamp, timestampText } from './timestamp.ts'

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
  quot: '"',
  apos: "'",
}

const unescapeText = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hex?: string, name = '') => {
    if (decimal === undefined && hex === undefined) return NAMED[String(name)] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole
  })

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\u00a0', '&nbsp;')

/** Text from one time to the next; the first has the time of the cue. */
interface Piece {
  readonly start: number
  text: string
}

/** The text of a cue cut at its times, without its tags, and its first speaker. */
const readPieces = (payload: string, start: number): { pieces: Piece[]; speaker: string | undefined } => {
  const pieces: Piece[] = [{ start, text: '' }]
  let speaker: string | undefined
  for (const part of payload.split(/(<[^<>]*>)/)) {
    const tag = /^<([^>]*)>$/.exec(part)?.[1]
    const last = pieces.at(-1)
    if (tag === undefined) {
      if (last) last.text += unescapeText(part)
      continue
    }
    const time = parseTimestamp(tag)
    if (time !== undefined) pieces.push({ start: time, text: '' })
    const name = /^v(?:\.[^\s]*)?\s+(.+)$/s.exec(tag)?.[1]
    if (name !== undefined) speaker ??= unescapeText(name.trim())
  }
  return { pieces, speaker }
}

/** Reads the text of a cue: tags are left out, times become words, and `<v Name>` the speaker. */
export const readVttText = (payload: string, start: number, end: number): Pick<Cue, 'text' | 'words' | 'speaker'> => {
  const { pieces, speaker } = readPieces(payload, start)
  const words = pieces.flatMap((piece, index): CaptionWord[] => {
    const text = piece.text.trim()
    return text === '' ? [] : [{ text, start: piece.start, end: pieces[index + 1]?.start ?? end }]
  })
  const text = withoutEmptyLines(pieces.map((piece) => piece.text).join(''))
  return { text, ...(pieces.length > 1 && words.length > 0 && { words }), ...(speaker !== undefined && { speaker }) }
}

const tagOf = (seconds: number): string => `<${timestampText(seconds, '.')}>`

/** The text of a cue with the times of its words: a pause between two words is a piece without text. */
const writeWords = ({ text, start, end, words = [] }: Cue): string => {
  let written = ''
  let offset = 0
  let before: CaptionWord | undefined
  for (const word of words) {
    const index = text.indexOf(word.text, offset)
    if (index < 0) return escapeText(text)
    // Punctuation belongs to the word that it touches.
    const [, tail = '', space = '', head = ''] = /^(\S*)(\s*)(.*)$/s.exec(text.slice(offset, index)) ?? []
    written += escapeText(tail)
    if (before && before.end < word.start) written += tagOf(before.end)
    written += escapeText(space)
    // Without any time it would be a cue without words.
    if (before || word.start !== start || words.length === 1) written += tagOf(word.start)
    written += escapeText(head + word.text)
    offset = index + word.text.length
    before = word
  }
  written += escapeText(text.slice(offset))
  return before && before.end < end ? written + tagOf(before.end) : written
}

/** The text of a cue as WebVTT: escaped, with the times of words and the speaker. */
export const writeVttText = (cue: Cue): string => {
  const text = withoutEmptyLines(cue.words ? writeWords(cue) : escapeText(cue.text))
  return cue.speaker === undefined ? text : `<v ${escapeText(cue.speaker)}>${text}`
}
