/** A word, or a few words that are spoken as one, with its time in seconds. */
export interface CaptionWord {
  /** A part of the cue's text; the words of a cue follow each other in it. */
  readonly text: string
  readonly start: number
  readonly end: number
}

/** A text with the time in which it is shown, in seconds. */
export interface Cue {
  readonly start: number
  readonly end: number
  /** Plain text, without tags; it may have several lines. */
  readonly text: string
  readonly words?: readonly CaptionWord[]
  readonly speaker?: string
  readonly id?: string
  /** Position and alignment as WebVTT writes them; kept, but not drawn. */
  readonly settings?: string
}

/** The cues of a file, by start. */
export interface Captions {
  readonly cues: readonly Cue[]
  /** BCP 47 tag, such as `en` or `pt-BR`. */
  readonly language?: string
}

/** Where a file of lines is broken, and why. */
export interface CaptionProblem {
  /** Counted from 1. */
  readonly line: number
  readonly reason: string
}

/** What reading a file of lines gives. */
export type ReadResult = { readonly captions: Captions } | { readonly problem: CaptionProblem }

/** The most cues that a file may have. */
export const MAX_CUES = 100_000

/** A time moved by some seconds, without the errors of adding fractions. */
const moved = (seconds: number, offset: number): number => Math.round((seconds + offset) * 1e6) / 1e6

/** Seconds in which a character is read. */
const READING_SECONDS = 0.06

/** A cue without a length is shown as long as its text is read, and at most until the next one. */
const withLength = (cue: Cue, next: number | undefined): Cue => {
  if (cue.end > cue.start) return cue
  const wished = Math.min(Math.max(1, cue.text.length * READING_SECONDS), 7)
  const room = next === undefined ? wished : next - cue.start
  return { ...cue, end: moved(cue.start, room < MIN_ROOM ? wished : Math.min(wished, room)) }
}

/** Seconds before the next cue in which a text can still be seen. */
const MIN_ROOM = 0.5

/** Orders cues by start; cues that start together keep their order, and those without a length get one. */
export const byStart = (cues: readonly Cue[]): readonly Cue[] =>
  [...cues].sort((a, b) => a.start - b.start).map((cue, index, all) => withLength(cue, all[index + 1]?.start))

/** Moves all times by `offset` seconds, which may be negative; what would end before 0 is left out. */
export const moveCaptions = (captions: Captions, offset: number): Captions => ({
  ...captions,
  cues: captions.cues.flatMap((cue): Cue[] => {
    const end = moved(cue.end, offset)
    if (end <= 0) return []
    const start = Math.max(0, moved(cue.start, offset))
    const words = cue.words?.map((word) => ({
      text: word.text,
      start: Math.max(0, moved(word.start, offset)),
      end: Math.max(0, moved(word.end, offset)),
    }))
    return [{ ...cue, start, end, ...(words && { words }) }]
  }),
})
