import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { RenderPlan } from '@vid/protocol'
import { inTempFolder, writeWhole } from '@vid/system'
import { mediaInput } from '../probe/media-input.ts'
import { findFfmpeg } from '../tools/find.ts'
import { QUIET, runProcess } from '../tools/process.ts'
import { isMovie, writeEditedDurations } from './edited-durations.ts'
import { languageCode } from './language-codes.ts'
import { writeMovLanguages } from './mov-languages.ts'

/** A text track of a video, as WebVTT whose cues do not overlap. */
export type TextTrack = NonNullable<RenderPlan['textTracks']>[number]

/** Encoders of text tracks, by muxer. */
const CODECS: Readonly<Record<string, string>> = { mp4: 'mov_text', mov: 'mov_text', webm: 'copy' }

/** Options of the muxers for a file whose streams are copied. */
const MUXERS: Readonly<Record<string, readonly string[]>> = {
  mp4: ['-movflags', '+faststart+write_colr', '-f', 'mp4'],
  mov: ['-movflags', '+write_colr', '-f', 'mov'],
  webm: ['-f', 'webm'],
}

/** The muxer of a video, by the extension of its name. */
const muxerOf = (video: string): string => extname(video).slice(1).toLowerCase()

/** Whether a video of this name can have text tracks. */
export const holdsTextTracks = (video: string): boolean => muxerOf(video) in CODECS

/** Options of one call of ffmpeg for text tracks. */
export interface TextTrackArgs {
  readonly inputs: readonly string[]
  /** Options of the output, after those that copy its other streams; `first` is the number of the first of `inputs`. */
  outputs(first: number): readonly string[]
  /** Completes the file that ffmpeg has written. */
  finish(file: string): Promise<void>
}

const NO_ARGS: TextTrackArgs = { inputs: [], outputs: () => [], finish: async () => {} }

const outputArgs = ({ language, label }: TextTrack, input: number, index: number, codec: string): readonly string[] => [
  '-map',
  `${input}:s`,
  `-c:s:${index}`,
  codec,
  `-metadata:s:s:${index}`,
  `language=${languageCode(language)}`,
  // The name of a track is the title of one container, and the handler of another.
  ...(label === ''
    ? []
    : [`-metadata:s:s:${index}`, `title=${label}`, `-metadata:s:s:${index}`, `handler_name=${label}`]),
]

/** Calls `mux` with the options for text tracks by ffmpeg's name of a muxer; their files exist as long as that takes. */
export const withTextTracks = async (
  muxer: string,
  tracks: readonly TextTrack[],
  mux: (texts: TextTrackArgs) => Promise<void>,
): Promise<void> => {
  const codec = CODECS[muxer]
  if (tracks.length === 0 || codec === undefined) return mux(NO_ARGS)
  const folder = await inTempFolder((parent) => mkdtemp(join(parent, 'vid-text-tracks-')))
  try {
    const files = await Promise.all(
      tracks.map(async ({ vtt }, index) => {
        const file = join(folder, `${index}.vtt`)
        await writeFile(file, vtt)
        return file
      }),
    )
    await mux({
      inputs: files.flatMap((file) => ['-f', 'webvtt', '-i', `file:${file}`]),
      outputs: (first) => tracks.flatMap((track, index) => outputArgs(track, first + index, index, codec)),
      async finish(file) {
        const codes = tracks.map(({ language }) => languageCode(language))
        if (muxer === 'mov') await writeMovLanguages(file, codes)
      },
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Puts text tracks into a video in place of those that it has; pictures and sound stay as they are. */
export const replaceTextTracks = async (
  video: string,
  tracks: readonly TextTrack[],
  signal: AbortSignal,
): Promise<void> => {
  const { ffmpeg } = await findFfmpeg({ signal })
  const source = await mediaInput(video)
  const bitexact = ['-fflags', '+bitexact', '-flags', '+bitexact']
  const muxer = muxerOf(video)
  await withTextTracks(muxer, tracks, ({ inputs, outputs, finish }) =>
    writeWhole(video, async (partial) => {
      const streams = ['-map', '0:v', '-map', '0:a?', '-c', 'copy', ...outputs(1)]
      const muxerArgs = MUXERS[muxer] ?? []
      const words = [...QUIET, ...source, ...inputs, ...streams, ...bitexact, ...muxerArgs, '-y', `file:${partial}`]
      await runProcess(ffmpeg, words, signal, { strict: true })
      await finish(partial)
      if (isMovie(muxer)) await writeEditedDurations(partial)
    }),
  )
}
