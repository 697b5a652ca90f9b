import { type FileHandle, open } from 'node:fs/promises'
import { CHANNELS, SAMPLE_RATE } from '@vid/ffmpeg'
import type { DiffReport } from './diff-schema.ts'

/** A file of 48 kHz stereo floats; null for silence. */
export interface SoundFile {
  readonly file: string
  /** Bytes before the first sample. */
  readonly header: number
}

/** Sounds are compared in parts of 10 ms. */
const PART = SAMPLE_RATE / 100
const PART_BYTES = PART * CHANNELS * 4

/** Parts that are read at a time. */
const PARTS_AT_ONCE = 500

/** Mean square of an inaudible difference: -90 dB of full scale. */
const INAUDIBLE = 1e-9

/** Equal parts between two differences of one interval. */
const MAX_GAP = 20

const dbOf = (power: number) => (power > INAUDIBLE ? Math.round(100 * Math.log10(power)) / 10 : null)

/** Mean squares of a part of both sounds, and of what differs. */
const measure = (one: Buffer, other: Buffer, offset: number) => {
  let before = 0
  let after = 0
  let difference = 0
  for (let byte = offset; byte < offset + PART_BYTES; byte += 4) {
    const old = byte + 4 <= one.length ? one.readFloatLE(byte) : 0
    const now = byte + 4 <= other.length ? other.readFloatLE(byte) : 0
    before += old ** 2
    after += now ** 2
    difference += (old - now) ** 2
  }
  const count = PART * CHANNELS
  return { before: before / count, after: after / count, difference: difference / count }
}

const readAt = async (handle: FileHandle | undefined, position: number): Promise<Buffer> => {
  const buffer = Buffer.alloc(PART_BYTES * PARTS_AT_ONCE)
  const { bytesRead } = handle ? await handle.read(buffer, 0, buffer.length, position) : { bytesRead: 0 }
  return buffer.subarray(0, bytesRead)
}

/** Where two sounds differ; a side without sound is silent. */
export const compareSound = async (
  one: SoundFile | null,
  other: SoundFile | null,
  signal: AbortSignal,
): Promise<DiffReport['sound']> => {
  const intervals: { first: number; last: number; before: number; after: number }[] = []
  const handles = await Promise.all([one && open(one.file), other && open(other.file)])
  const [old, now] = handles
  try {
    for (let first = 0; ; first += PARTS_AT_ONCE) {
      signal.throwIfAborted()
      const position = first * PART_BYTES
      const [before, after] = await Promise.all([
        readAt(old ?? undefined, position + (one?.header ?? 0)),
        readAt(now ?? undefined, position + (other?.header ?? 0)),
      ])
      const bytes = Math.max(before.length, after.length)
      if (bytes === 0) break
      for (let part = 0; part * PART_BYTES < bytes; part += 1) {
        const measured = measure(before, after, part * PART_BYTES)
        if (measured.difference <= INAUDIBLE) continue
        const index = first + part
        const last = intervals.at(-1)
        if (last && index - last.last <= MAX_GAP) {
          last.last = index
          last.before += measured.before
          last.after += measured.after
        } else intervals.push({ first: index, last: index, before: measured.before, after: measured.after })
      }
    }
  } finally {
    await Promise.all(handles.map((handle) => handle?.close()))
  }
  return intervals.map((interval) => {
    const parts = interval.last - interval.first + 1
    return {
      from: interval.first / 100,
      until: (interval.last + 1) / 100,
      before: dbOf(interval.before / parts),
      after: dbOf(interval.after / parts),
    }
  })
}
