import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readVtt, writeVtt } from '@vid/captions'
import { type RenderPlan, secondsOf } from '@vid/kernel'
import { failHls } from './errors.ts'
import { captionFilesOf } from './names.ts'
import type { Piece } from './pieces.ts'
import type { Entry } from './playlist.ts'

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
  entries(): readonly Entry[]
}

/** The times of cues are those of the video, which begins at 0. */
const TIMES = 'X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000'

const cuesOf = ({ language, vtt }: TextTrack) => {
  const result = readVtt(vtt)
  if ('captions' in result) return result.captions.cues
  const { line, reason } = result.problem
  throw failHls('VID_HLS_SOURCE', { file: `The captions "${language}"`, problem: `line ${line}: ${reason}` })
}

/** Creates a writer of captions in a folder; `index` counts the languages. */
export const createCaptions = (
  folder: string,
  { track, index, fps }: { readonly track: TextTrack; readonly index: number } & Pick<RenderPlan, 'fps'>,
  signal: AbortSignal,
): CaptionsWriter => {
  const files = captionFilesOf(index)
  const cues = cuesOf(track)
  const written: Entry[] = []
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
        const shown = cues.filter((cue) => cue.start < end && cue.end > begin)
        const text = writeVtt({ cues: shown }).replace('WEBVTT', `WEBVTT\n${TIMES}`)
        const uri = files.segment(written.length)
        await writeFile(join(folder, uri), text, { signal })
        const bytes = Buffer.byteLength(text)
        written.push({ uri, seconds: secondsOf(frames, fps), bytes, firstBytes: bytes })
      }
    },
  }
}
