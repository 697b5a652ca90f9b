import { readTasksOf } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import { flattenCues } from '../model/flatten-cues.ts'
import type { CompositionPart } from '../model/place-cues.ts'
import { writeSrt } from '../text/srt.ts'
import { writeVtt } from '../text/write-vtt.ts'
import { type LanguageCaptions, readLanguageCaptions, type TrackFile } from './language-captions.ts'

/** The ending of a file beside a video with the captions of a language. */
const sidecarSuffix = (language: string, extension: '.vtt' | '.srt'): string =>
  language === '' ? extension : `.${language}${extension}`

const sidecarsOf = ({ language, cues }: LanguageCaptions): NonNullable<RenderPlan['sidecars']> => [
  { suffix: sidecarSuffix(language, '.vtt'), text: writeVtt({ cues, ...(language !== '' && { language }) }) },
  // SRT without cues is an empty file.
  ...(cues.length > 0 ? [{ suffix: sidecarSuffix(language, '.srt'), text: writeSrt({ cues }) }] : []),
]

const textTracksOf = ({ language, label, cues }: LanguageCaptions): NonNullable<RenderPlan['textTracks']> =>
  cues.length > 0 ? [{ language, label, vtt: writeVtt({ cues: flattenCues(cues) }) }] : []

/** The tracks of a composition, and how its captions are wanted. */
export interface CaptionsInput {
  readonly entry: string
  readonly tracks: readonly TrackFile[]
  readonly part: CompositionPart
  readonly isTrack: boolean
  readonly isSidecar: boolean
}

const plannedCaptions = async ({
  tracks,
  part,
  isTrack,
  isSidecar,
}: CaptionsInput): Promise<Pick<RenderPlan, 'textTracks' | 'sidecars'>> => {
  const captions = await readLanguageCaptions(tracks, part)
  const textTracks = isTrack ? captions.flatMap(textTracksOf) : []
  return {
    ...(textTracks.length > 0 && { textTracks }),
    ...(isSidecar && { sidecars: captions.flatMap(sidecarsOf) }),
  }
}

const define = readTasksOf(import.meta.url)

/** Reads the files of the tracks of a composition, and writes the captions of its plan. */
export const plannedCaptionsTask = define('plannedCaptionsTask', plannedCaptions)
