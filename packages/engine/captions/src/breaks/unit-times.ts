import type { Cue } from '../model/cue.ts'
import { charactersOf, type TextUnit } from './units.ts'

/** A unit and the time in which it is spoken, in seconds. */
export interface TimedUnit extends TextUnit {
  readonly start: number
  readonly end: number
}

/** A part of a text with its time. */
interface Passage {
  readonly offset: number
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The words of a cue by their offsets, or all of its text. */
const passagesOf = ({ text, words, start, end }: Cue): Passage[] => {
  let offset = 0
  const passages = (words ?? []).flatMap((word): Passage[] => {
    const index = text.indexOf(word.text, offset)
    if (index < 0) return []
    offset = index + word.text.length
    return [{ offset: index, text: word.text, start: word.start, end: word.end }]
  })
  return passages.length > 0 ? passages : [{ offset: 0, text, start, end }]
}

/** The time of an offset inside a passage, by the characters before it. */
const timeIn = ({ offset, text, start, end }: Passage, at: number): number => {
  const count = charactersOf(text).length
  const before = charactersOf(text.slice(0, Math.max(0, at - offset))).length
  return count === 0 ? start : start + ((end - start) * Math.min(before, count)) / count
}

/** Gives every unit of a cue its time: that of its words, else a share of the cue by its length. */
export const timeUnits = (cue: Cue, units: readonly TextUnit[]): TimedUnit[] => {
  const passages = passagesOf(cue)
  return units.map((unit) => {
    const until = unit.offset + unit.text.length
    const first =
      passages.find(({ offset, text }) => offset + text.length > unit.offset) ?? passages[passages.length - 1]
    const last = passages.findLast(({ offset }) => offset < until) ?? passages[0]
    const start = first ? timeIn(first, unit.offset) : cue.start
    const end = last ? timeIn(last, until) : cue.end
    return { ...unit, start, end: Math.max(start, end) }
  })
}
