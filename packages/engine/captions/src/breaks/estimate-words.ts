import type { CaptionWord } from '../model/cue.ts'
import { timeUnits } from './unit-times.ts'
import { unitsOf } from './units.ts'

/** The words of a text that lasts some seconds, each with a share of them by its length. */
export const estimateWords = (text: string, seconds: number, language?: string): CaptionWord[] => {
  const units = timeUnits({ start: 0, end: seconds, text }, unitsOf(text, language))
  return units.map(({ text: word, start }, index) => ({ text: word, start, end: units[index + 1]?.start ?? seconds }))
}
