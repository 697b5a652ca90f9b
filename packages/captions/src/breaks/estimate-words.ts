import type { CaptionWord } from '../model/cue.ts'
import { timeUnits } from './unit-times.ts'
import { unitsOf } from './units.ts'

/** The words of a text that lasts some seconds, each with a share of them by its length. */
export const estimateWords = (text: string, seconds: number, language?: string): CaptionWord[] =>
  timeUnits({ start: 0, end: seconds, text }, unitsOf(text, language)).map(({ text: word, start, end }) => ({
    text: word,
    start,
    end,
  }))
