import type { Captions, Cue } from '../model/cue.ts'
import { timestampText } from './timestamp.ts'
import { writeVttText } from './vtt-text.ts'

/** Writes one cue of a WebVTT text. */
export const writeVttCue = (cue: Cue): string => {
  const times = `${timestampText(cue.start, '.')} --> ${timestampText(cue.end, '.')}`
  return [
    ...(cue.id === undefined ? [] : [cue.id]),
    cue.settings === undefined ? times : `${times} ${cue.settings}`,
    writeVttText(cue),
  ].join('\n')
}

/** Writes captions as WebVTT, with the times of words. */
export const writeVtt = ({ cues, language }: Captions): string => {
  const header = language === undefined ? 'WEBVTT' : `WEBVTT\nLanguage: ${language}`
  return `${[header, ...cues.map(writeVttCue)].join('\n\n')}\n`
}
