import { type FileHandle, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { initSegment, mediaSegment } from './fragment.ts'
import { filesOf, SOUND } from './names.ts'
import type { Entry } from './playlist.ts'
import { readSamples, type Track } from './track.ts'

/** An open mp4 file with one of its tracks. */
export interface Source {
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
  /** What has been written. */
  readonly entries: readonly Entry[]
  /** Writes the next media segment, and before the first what players need to decode all of them. */
  add(source: Source, cut: Cut): Promise<void>
}

/** Creates a writer of files in a folder. */
export const createWriter = (folder: string, name: string, signal: AbortSignal): Writer => {
  const files = filesOf(name)
  const entries: Entry[] = []
  const kind = name === SOUND ? 'sound' : 'picture'
  const write = (file: string, bytes: Buffer) => writeFile(join(folder, file), bytes, { signal })
  return {
    name,
    entries,
    async add({ handle, track }, { start, end, time, seconds }) {
      if (entries.length === 0) await write(files.init, initSegment(track, kind))
      const samples = track.samples.slice(start, end)
      const data = await readSamples(handle, samples)
      // The delay of pictures is taken off here, and that of sound by the edit list.
      const delay = kind === 'sound' ? 0 : track.delay
      const { bytes, firstBytes } = mediaSegment(samples, data, { number: entries.length + 1, time, delay })
      const uri = files.segment(entries.length)
      await write(uri, bytes)
      entries.push({ uri, seconds, bytes: bytes.length, firstBytes })
    },
  }
}
