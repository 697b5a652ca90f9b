import {
  type CheckSpot,
  type CompositionCaptions,
  type CompositionCue,
  type CompositionFacts,
  defineCheck,
  withDefault,
} from '@vid/kernel'
import { Type } from '@vid/protocol'
import { framesOf, quoted, short } from './spots.ts'

/** Characters of full width, which take the place of two. */
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff01-\uff60]/gu

/** Characters of a text as a reader counts them: marks belong to the letter before, and wide ones count twice. */
const charactersOf = (text: string): number => {
  const letters = text.normalize('NFC').replace(/\p{M}/gu, '')
  return [...letters].length + (letters.match(WIDE)?.length ?? 0)
}

const textOf = ({ text }: CompositionCue): string => text.replace(/\s+/g, ' ').trim()

/** What a spot says of a cue. */
const spotOfCue = (
  facts: CompositionFacts,
  { element, file }: CompositionCaptions,
  { start, end }: Pick<CompositionCue, 'start' | 'end'>,
  rest: Omit<CheckSpot, 'frames'>,
): CheckSpot => ({ frames: framesOf(facts, start, end), element, file, ...rest })

/** The cues of a composition with their captions. */
function* cuesOf({ captions }: CompositionFacts): Generator<readonly [CompositionCaptions, CompositionCue]> {
  for (const track of captions) for (const cue of track.cues) yield [track, cue]
}

export const captionSpeed = defineCheck({
  name: '@vid/check/caption-speed',
  rule: 'caption-speed',
  level: 'warning',
  what: 'A caption that is gone before it can be read.',
  why: 'Grown-ups read about 17 characters of subtitles in a second, and 21 at most; wide characters count twice.',
  hint: 'Show it longer, shorten its text, or join it with the caption beside it.',
  options: Type.Object({
    /** Most characters in a second. */
    characters: withDefault(Type.Number({ exclusiveMinimum: 0 }), 21),
  }),
  *check(facts, { characters }): Generator<CheckSpot> {
    for (const [track, cue] of cuesOf(facts)) {
      const seconds = cue.end - cue.start
      const speed = charactersOf(textOf(cue)) / Math.max(seconds, 1 / facts.fps)
      if (speed <= characters + 0.05) continue
      yield spotOfCue(facts, track, cue, {
        message: `${quoted(textOf(cue))} has ${short(speed)} characters a second; more than ${short(characters)} can hardly be read.`,
        figures: { speed: Number(speed.toFixed(1)), seconds: Number(seconds.toFixed(2)) },
        certainty: 'likely',
      })
    }
  },
})

export const captionLength = defineCheck({
  name: '@vid/check/caption-length',
  rule: 'caption-length',
  level: 'warning',
  what: 'A caption with too many lines, or with a line that is too long.',
  why: 'Two lines of 42 characters are read at a glance; more of them hide the picture.',
  hint: 'Divide it into several captions, each of which ends at a pause.',
  options: Type.Object({
    /** Most characters of a line, and most lines. */
    characters: withDefault(Type.Integer({ minimum: 1 }), 42),
    lines: withDefault(Type.Integer({ minimum: 1 }), 2),
  }),
  *check(facts, { characters, lines }): Generator<CheckSpot> {
    for (const [track, cue] of cuesOf(facts)) {
      const all = cue.text.split('\n').map(charactersOf)
      const longest = Math.max(...all)
      // Without breaks of its own, a text is broken where it is shown.
      const isTooLong = longest > (all.length > 1 ? characters : characters * lines)
      if (all.length <= lines && !isTooLong) continue
      yield spotOfCue(facts, track, cue, {
        message:
          all.length > lines
            ? `${quoted(textOf(cue))} has ${all.length} lines; more than ${lines} hide the picture.`
            : `${quoted(textOf(cue))} has ${longest} characters in a line; ${all.length > 1 ? characters : `${lines} lines of ${characters}`} are the most.`,
        figures: { lines: all.length, characters: longest },
        certainty: 'likely',
      })
    }
  },
})

/** A cue, and the one of those before it that ends last. */
function* pairsOf(facts: CompositionFacts): Generator<readonly [CompositionCaptions, CompositionCue, CompositionCue]> {
  for (const track of facts.captions) {
    let last: CompositionCue | undefined
    for (const cue of track.cues) {
      if (last) yield [track, last, cue]
      if (!last || cue.end > last.end) last = cue
    }
  }
}

/** Times that differ by less are equal. */
const SAME_SECONDS = 1e-3

export const captionGap = defineCheck({
  name: '@vid/check/caption-gap',
  rule: 'caption-gap',
  level: 'warning',
  what: 'A pause between two captions that is too short to be seen as one.',
  why: 'The text flickers, as if something was wrong.',
  hint: 'Let the previous caption last until the next one begins, or end it earlier.',
  options: Type.Object({
    /** Shortest pause, in seconds. */
    seconds: withDefault(Type.Number({ minimum: 0 }), 0.08),
  }),
  *check(facts, { seconds }): Generator<CheckSpot> {
    for (const [track, before, cue] of pairsOf(facts)) {
      const gap = cue.start - before.end
      if (gap <= SAME_SECONDS || gap >= seconds - SAME_SECONDS) continue
      yield spotOfCue(
        facts,
        track,
        { start: before.end, end: cue.start },
        {
          message: `There is no caption for ${short(gap, 3)} s before ${quoted(textOf(cue))}.`,
          figures: { seconds: Number(gap.toFixed(3)) },
        },
      )
    }
  },
})

export const captionOverlap = defineCheck({
  name: '@vid/check/caption-overlap',
  rule: 'caption-overlap',
  level: 'warning',
  what: 'Two captions of one language at the same time.',
  why: 'Text tracks show one at a time, and a reader follows one.',
  hint: 'End the first one where the second begins, or join them: two speakers are two lines of one caption.',
  options: Type.Object({
    /** Shortest overlap, in seconds. */
    seconds: withDefault(Type.Number({ minimum: 0 }), 0.1),
  }),
  *check(facts, { seconds }): Generator<CheckSpot> {
    for (const [track, before, cue] of pairsOf(facts)) {
      const end = Math.min(before.end, cue.end)
      if (end - cue.start <= seconds + SAME_SECONDS) continue
      yield spotOfCue(
        facts,
        track,
        { start: cue.start, end },
        {
          message: `${quoted(textOf(before))} and ${quoted(textOf(cue))} are shown together for ${short(end - cue.start, 2)} s.`,
          figures: { seconds: Number((end - cue.start).toFixed(2)) },
        },
      )
    }
  },
})

export const captionSilence = defineCheck({
  name: '@vid/check/caption-silence',
  rule: 'caption-silence',
  level: 'warning',
  what: 'A caption over a stretch in which nothing is heard, in a video with sound.',
  why: 'Captions that are late or early, or of another version of the sound, are read before somebody speaks.',
  hint: 'Move the captions with data-start of their track, or vid captions import --offset.',
  options: Type.Object({
    /** Least part of a caption that is silent, 0 to 1. */
    part: withDefault(Type.Number({ minimum: 0, maximum: 1 }), 0.9),
  }),
  *check(facts, { part }): Generator<CheckSpot> {
    const { sound } = facts
    if (sound === null) return
    for (const [track, cue] of cuesOf(facts)) {
      const seconds = cue.end - cue.start
      const silent = sound.silent.reduce(
        (sum, stretch) => sum + Math.max(0, Math.min(stretch.end, cue.end) - Math.max(stretch.start, cue.start)),
        0,
      )
      if (seconds <= 0 || silent / seconds < part - SAME_SECONDS) continue
      yield spotOfCue(facts, track, cue, {
        message: `Nothing is heard while ${quoted(textOf(cue))} is shown.`,
        figures: { silent: Number(silent.toFixed(2)), seconds: Number(seconds.toFixed(2)) },
        certainty: 'likely',
      })
    }
  },
})
