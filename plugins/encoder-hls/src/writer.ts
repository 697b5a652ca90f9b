import { type FileHandle, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { initSegment, mediaSegment } from './fragment.ts'
import { renditionFiles, SOUND } from './names.ts'
import type { PlaylistEntry } from './playlist.ts'
import { readTrackSamples, type Track } from './track.ts'

/** An open mp4 file with one of its tracks. */
export interface TrackSource {
  readonly handle: FileHandle
  readonly track: Track
}

/** Samples of a source for one media segment. */
export interface Cut {
  readonly start: number
  readonly end: number
  /** Ticks at which the first is decoded. */
  readonly time: number
  readonly seconds: number
}

/** Writes the media segments of a rendition, or of the sound. */
export interface Writer {
  readonly name: string
  /** Writes the next media segment, and before the first what players need to decode all of them. */
  add(source: TrackSource, cut: Cut): Promise<void>
  /** Lists what has been written so far. */
  commit(): void
  /** The media segments that are listed. */
  entries(): readonly PlaylistEntry[]
}

/** Creates a writer of files in a folder. */
export const createWriter = (folder: string, name: string, signal: AbortSignal): Writer => {
  const files = renditionFiles(name)
  const written: PlaylistEntry[] = []
  let listed = 0
  const kind = name === SOUND ? 'sound' : 'picture'
  const write = (file: string, bytes: Buffer) => writeFile(join(folder, file), bytes, { signal })
  return {
    name,
    entries: () => written.slice(0, listed),
    commit() {
      listed = written.length
    },
    async add({ handle, track }, { start, end, time, seconds }) {
      if (written.length === 0) await write(files.init, initSegment(track, kind))
      const samples = track.samples.slice(start, end)
      const data = await readTrackSamples(handle, samples)
      // The delay of pictures is taken off here, and that of sound by the edit list.
      const delay = kind === 'sound' ? 0 : track.delay
      const { bytes, firstBytes } = mediaSegment(samples, data, { number: written.length + 1, time, delay })
      const uri = files.segment(written.length)
      await write(uri, bytes)
      written.push({ uri, seconds, bytes: bytes.length, firstBytes })
    },
  }
}
