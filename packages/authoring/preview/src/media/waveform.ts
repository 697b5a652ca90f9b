import { findFfmpeg, QUIET, readSource, startMediaRead } from '@vid/ffmpeg'
import type { WaveformReply } from '../api.ts'
import { fail } from '../errors.ts'

/** What to measure. */
export interface WaveformJob {
  /** Absolute. */
  readonly file: string
  /** Its name in messages. */
  readonly src: string
  readonly count: number
  readonly signal: AbortSignal
}

/** Samples a second that peaks are found among: a drawing shows no more. */
const RATE = 8000

/** The loudest sample of each of `count` equal parts of a source's sound, 0 … 1. */
export const measureWaveform = async ({ file, src, count, signal }: WaveformJob): Promise<WaveformReply> => {
  const { sound, soundIndex, duration } = await readSource(file, { signal })
  if (sound === null) throw fail('VID_PREVIEW_SOURCE', { src, needs: 'sound' })
  const { ffmpeg } = await findFfmpeg({ signal })
  const sounds = ['-map', `0:${soundIndex}`, '-af', 'aresample=async=1:first_pts=0', '-ac', '1', '-ar', String(RATE)]
  const after = [...sounds, '-f', 's16le', 'pipe:1']
  const child = await startMediaRead({ program: ffmpeg, before: QUIET, file, after }, signal)
  const peaks = new Array<number>(count).fill(0)
  const perPeak = Math.max(1, (duration * RATE) / count)
  let sample = 0
  let half: Buffer | undefined
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      const bytes = half ? Buffer.concat([half, chunk]) : chunk
      const whole = bytes.length - (bytes.length % 2)
      half = whole < bytes.length ? bytes.subarray(whole) : undefined
      for (let offset = 0; offset < whole; offset += 2, sample += 1) {
        const peak = Math.min(count - 1, Math.floor(sample / perPeak))
        peaks[peak] = Math.max(peaks[peak] ?? 0, Math.abs(bytes.readInt16LE(offset)) / 32_768)
      }
    }
    // A damaged source is drawn as far as it can be decoded.
    await child.finished.catch(() => {})
    signal.throwIfAborted()
    return { duration, peaks: peaks.map((peak) => Math.round(peak * 1000) / 1000) }
  } finally {
    child.kill()
    await child.finished.catch(() => {})
  }
}
