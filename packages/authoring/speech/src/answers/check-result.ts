import type { TimedWord, Transcript } from '@vid/kernel'
import { fail } from '../errors.ts'

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0

/** What is wrong with a part of an answer; undefined where nothing is. */
const partProblem = ({ text, start, end }: Partial<TimedWord>): string | undefined => {
  if (typeof text !== 'string') return 'a text is not a string'
  if (isTime(start) && isTime(end) && end >= start) return undefined
  return `"${text.slice(0, 40)}" is from ${start} to ${end} s`
}

const check = (by: string, parts: unknown, name: string): void => {
  if (!Array.isArray(parts)) throw fail('VID_SPEECH_OUTPUT', { by, reason: `its ${name} are no list` })
  for (const part of parts as Partial<TimedWord>[]) {
    const reason = typeof part === 'object' && part !== null ? partProblem(part) : `one of its ${name} is no object`
    if (reason !== undefined) throw fail('VID_SPEECH_OUTPUT', { by, reason })
  }
}

/** Checks the words of a plugin. */
export const checkWords = (by: string, words: readonly TimedWord[]): void => check(by, words, 'words')

/** Checks the transcript of a plugin. */
export const checkTranscript = (by: string, transcript: Transcript): void => {
  check(by, transcript?.cues, 'cues')
  for (const { words } of transcript.cues) if (words !== undefined) checkWords(by, words)
}
