import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { findFfmpeg, mediaInput, QUIET, runProcess } from '@vid/ffmpeg'
import { inTempFolder, writeWhole } from '@vid/system'
import { fail } from '../errors.ts'
import type { Captions } from '../model/cue.ts'
import { flattenCues } from '../model/flatten-cues.ts'
import { writeVtt } from '../text/write-vtt.ts'
import { languageCode } from './language-codes.ts'

/** Options of ffmpeg for text tracks, by the ending of a video. */
const CONTAINERS: Readonly<Record<string, readonly string[]>> = {
  '.mp4': ['-c:s', 'mov_text', '-movflags', '+faststart+write_colr', '-f', 'mp4'],
  '.mov': ['-c:s', 'mov_text', '-movflags', '+write_colr', '-f', 'mov'],
  '.webm': ['-c:s', 'copy', '-f', 'webm'],
}

/** Options that choose the streams: pictures and sound of the video, then a text track for each file. */
const streamArgs = (languages: readonly string[]): string[] => [
  '-map',
  '0:v',
  '-map',
  '0:a?',
  ...languages.flatMap((_language, index) => ['-map', `${index + 1}:s`]),
  '-c',
  'copy',
  ...languages.flatMap((language, index) => [`-metadata:s:s:${index}`, `language=${languageCode(language)}`]),
  '-fflags',
  '+bitexact',
  '-flags',
  '+bitexact',
]

/** Checks that a video can get text tracks. */
export const requireContainer = (video: string): void => {
  if (CONTAINERS[extname(video).toLowerCase()] === undefined) throw fail('VID_CAPTIONS_VIDEO', { file: video })
}

/** Puts captions into a video as text tracks in place of those that it has; pictures and sound stay as they are. */
export const muxCaptions = async (
  video: string,
  captions: ReadonlyMap<string, Captions>,
  signal: AbortSignal,
): Promise<void> => {
  const container = CONTAINERS[extname(video).toLowerCase()]
  if (container === undefined) throw fail('VID_CAPTIONS_VIDEO', { file: video })
  const { ffmpeg } = await findFfmpeg({ signal })
  const folder = await inTempFolder((parent) => mkdtemp(join(parent, 'vid-captions-')))
  try {
    const inputs: string[] = []
    for (const [index, { cues }] of [...captions.values()].entries()) {
      const file = join(folder, `${index}.vtt`)
      await writeFile(file, writeVtt({ cues: flattenCues(cues) }))
      inputs.push('-f', 'webvtt', '-i', `file:${file}`)
    }
    const source = await mediaInput(video)
    await writeWhole(video, (partial) =>
      runProcess(
        ffmpeg,
        [...QUIET, ...source, ...inputs, ...streamArgs([...captions.keys()]), ...container, '-y', `file:${partial}`],
        signal,
        { strict: true },
      ),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
