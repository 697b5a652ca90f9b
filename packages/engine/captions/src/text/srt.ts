import { byStart, type Captions, type Cue, MAX_CUES, type ReadResult } from '../model/cue.ts'
import { linesOf, withoutEmptyLines } from './lines.ts'
import { readTimes, timestampText } from './timestamp.ts'

/** A line of times; an arrow inside of a text is text. */
const TIMES = /^\s*\d.*-->/

const NUMBER = /^\s*\d+\s*$/

/** Markup that players understand in SubRip: simple HTML, and positions such as `{\an8}`. */
const MARKUP = /<\/?(?:[bius]|font)(?:\s[^<>]*)?>|\{\\[^{}]*\}/gi

/** Reads SubRip (SRT): each cue is a number, a line of times, and text up to the next of them. */
export const readSrt = (text: string): ReadResult => {
  const lines = linesOf(text)
  const starts = lines.flatMap((line, index) => (TIMES.test(line) ? [index] : []))
  // The number before the times is left out by some programs.
  const firstLines = starts.map((index) => (NUMBER.test(lines[index - 1] ?? '') ? index - 1 : index))
  const before = lines.slice(0, firstLines[0] ?? lines.length).findIndex((line) => line.trim() !== '')
  if (before >= 0)
    return { problem: { line: before + 1, reason: `"${lines[before]?.slice(0, 40)}" stands before any time` } }
  const cues: Cue[] = []
  for (const [number, index] of starts.entries()) {
    const times = readTimes(lines[index] ?? '')
    if ('reason' in times) return { problem: { line: index + 1, reason: times.reason } }
    if (cues.length === MAX_CUES) return { problem: { line: index + 1, reason: `more than ${MAX_CUES} cues` } }
    const payload = lines.slice(index + 1, firstLines[number + 1] ?? lines.length).join('\n')
    cues.push({ start: times.start, end: times.end, text: withoutEmptyLines(payload.replace(MARKUP, '')) })
  }
  return { captions: { cues: byStart(cues) } }
}

/** Writes captions as SubRip (SRT), which has no times of words and no speakers. */
export const writeSrt = ({ cues }: Captions): string =>
  cues
    .map(({ start, end, text }, index) => {
      const times = `${timestampText(start, ',')} --> ${timestampText(end, ',')}`
      return `${index + 1}\n${times}\n${withoutEmptyLines(text)}\n`
    })
    .join('\n')
