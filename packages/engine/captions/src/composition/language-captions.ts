import { readFile } from 'node:fs/promises'
import type { SourceFiles } from '@vid/kernel'
import type { CaptionsUse } from '@vid/protocol'
import { fail } from '../errors.ts'
import { byStart, type Captions } from '../model/cue.ts'
import { type CompositionPart, placeTrack } from '../model/place-cues.ts'
import { captionText } from '../read/caption-text.ts'
import { readCaptions } from '../read/read-captions.ts'

/** The captions of a composition in one language, in its time. */
export interface LanguageCaptions extends Captions {
  /** Empty where neither a track nor its file names one. */
  readonly language: string
  /** The name of the first track that has one. */
  readonly label: string
}

/** A track of a composition, with the path of its file if there is one. */
export interface TrackFile {
  readonly use: CaptionsUse
  readonly file: string | undefined
}

const findTrack = async (use: CaptionsUse, sources: SourceFiles): Promise<TrackFile> => ({
  use,
  file: use.src === null ? undefined : await sources.file(use.src),
})

/** Finds the files of tracks, up to the first that has none. */
export const findTrackFiles = async (
  uses: readonly CaptionsUse[],
  sources: SourceFiles,
): Promise<readonly TrackFile[]> => {
  const tracks: TrackFile[] = []
  for (const use of uses) {
    const track = await findTrack(use, sources)
    tracks.push(track)
    if (track.file === undefined) break
  }
  return tracks
}

const readFound = async ({ use: { name }, file }: TrackFile): Promise<Captions> => {
  if (file === undefined) throw fail('VID_CAPTIONS_TRACK', { src: name })
  const { text, encoding } = captionText(name, await readFile(file))
  // A browser reads WebVTT as UTF-8, whatever it is.
  if (encoding !== 'utf-8')
    throw fail('VID_CAPTIONS_BROKEN', {
      file: name,
      place: 'the whole file',
      reason: `it is ${encoding}; vid captions import writes it as UTF-8`,
    })
  return readCaptions({ file: name, text, format: 'vtt' }).captions
}

/** Reads the file of a track; VID_CAPTIONS_TRACK and VID_CAPTIONS_BROKEN name one that cannot be read. */
export const readTrack = async (use: CaptionsUse, sources: SourceFiles): Promise<Captions> =>
  readFound(await findTrack(use, sources))

/** A language as a name of a file can hold it. */
const tagOf = (language: string): string => language.replace(/[^\w-]+/g, '-').slice(0, 35)

/** The captions of a part of a composition, by language; the tracks of a language are joined. */
export const readLanguageCaptions = async (
  tracks: readonly TrackFile[],
  part: CompositionPart,
): Promise<readonly LanguageCaptions[]> => {
  const languages = new Map<string, LanguageCaptions>()
  for (const track of tracks) {
    const { use } = track
    const captions = await readFound(track)
    const language = tagOf(use.language || captions.language || '')
    const before = languages.get(language)
    const cues = byStart([...(before?.cues ?? []), ...placeTrack(captions, use, part)])
    languages.set(language, { language, label: before?.label || use.label, cues })
  }
  return [...languages.values()]
}
