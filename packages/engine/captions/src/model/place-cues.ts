import type { CaptionsUse } from '@vid/protocol'
import type { Captions, Cue } from './cue.ts'

/** When a file of captions is shown in a composition; all times are seconds of the composition. */
interface Placement {
  /** Where second `mediaStart` of the file is. */
  readonly start: number
  readonly mediaStart: number
  /** Seconds of the file in a second of the composition. */
  readonly rate: number
  /** Nothing is shown before and after. */
  readonly from: number
  readonly until: number
}

const rounded = (seconds: number): number => Math.round(seconds * 1e6) / 1e6

/** A part of a composition in seconds. */
export interface CompositionPart {
  readonly start: number
  readonly end: number
}

/** The cues of a file at their times in a composition, cut to when they are shown. */
export const placeCues = ({ cues }: Captions, { start, mediaStart, rate, from, until }: Placement): Cue[] =>
  cues.flatMap((cue): Cue[] => {
    const at = (seconds: number) => rounded(Math.min(Math.max(start + (seconds - mediaStart) / rate, from), until))
    const placed = { ...cue, start: at(cue.start), end: at(cue.end) }
    if (placed.end <= placed.start) return []
    const words = cue.words?.map((word) => ({ text: word.text, start: at(word.start), end: at(word.end) }))
    return [{ ...placed, ...(words && { words }) }]
  })

/** The cues of a track at their times in a part of a composition, counted from its start. */
export const placeTrack = (captions: Captions, use: CaptionsUse, part: CompositionPart): Cue[] =>
  placeCues(captions, {
    start: use.start - part.start,
    mediaStart: use.mediaStart,
    rate: use.rate,
    from: Math.max(part.start, use.from) - part.start,
    until: Math.min(part.end, use.until ?? part.end) - part.start,
  })
