import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CueBlocks, cueBlocksTask } from '@vid/captions/read-tasks'
import { type Reading, type RenderPlan, readHere, secondsOf } from '@vid/kernel'
import { failHls } from './errors.ts'
import { captionFilesOf } from './names.ts'
import type { Piece } from './pieces.ts'
import type { PlaylistEntry } from './playlist.ts'

type TextTrack = NonNullable<RenderPlan['textTracks']>[number]

/** Writes the captions of one language as WebVTT, a file for each media segment of pictures. */
export interface CaptionsWriter {
  readonly track: TextTrack
  readonly playlist: string
  /** Writes the captions of the next media segments. */
  add(pieces: readonly Piece[]): Promise<void>
  /** Lists what has been written so far. */
  commit(): void
  /** The files that are listed. */
  entries(): readonly PlaylistEntry[]
}

/** The times of cues are those of the video, which begins at 0. */
const TIMES = 'X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000'

/** Where captions are read, and what ends that. */
export interface CaptionsReading {
  /** The entry of the composition that they are of. */
  readonly entry: string
  /** In this thread if left out. */
  readonly reading?: Reading | undefined
  readonly signal: AbortSignal
}

const cuesOf = async (
  { language, vtt }: TextTrack,
  { entry, reading = readHere, signal }: CaptionsReading,
): Promise<CueBlocks> => {
  const result = await reading(cueBlocksTask, { entry, vtt }, signal)
  if ('blocks' in result) return result
  const { line, reason } = result.problem
  throw failHls('VID_HLS_SOURCE', { file: `The captions "${language}"`, problem: `line ${line}: ${reason}` })
}

/** Creates a writer of captions in a folder; `index` counts the languages. */
export const createCaptionsWriter = async (
  folder: string,
  { track, index, fps }: { readonly track: TextTrack; readonly index: number } & Pick<RenderPlan, 'fps'>,
  context: CaptionsReading,
): Promise<CaptionsWriter> => {
  const files = captionFilesOf(index)
  const { starts, ends, blocks } = await cuesOf(track, context)
  const { signal } = context
  const written: PlaylistEntry[] = []
  let listed = 0
  return {
    track,
    playlist: files.playlist,
    entries: () => written.slice(0, listed),
    commit() {
      listed = written.length
    },
    async add(pieces) {
      for (const { start, frames } of pieces) {
        const begin = secondsOf(start, fps)
        const end = secondsOf(start + frames, fps)
        // A cue that is shown in several media segments is in each of them, with its whole time.
        const isShown = (cue: number) => (starts[cue] ?? end) < end && (ends[cue] ?? begin) > begin
        const shown = blocks.filter((_, cue) => isShown(cue))
        const text = `${[`WEBVTT\n${TIMES}`, ...shown].join('\n\n')}\n`
        const uri = files.segment(written.length)
        await writeFile(join(folder, uri), text, { signal })
        const bytes = Buffer.byteLength(text)
        written.push({ uri, seconds: secondsOf(frames, fps), bytes, firstBytes: bytes })
      }
    },
  }
}
