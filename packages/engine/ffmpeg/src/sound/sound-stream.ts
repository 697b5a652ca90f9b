import { describeCause } from '@vid/protocol'
import { fail } from '../errors.ts'
import { isSourceFault } from '../probe/source-fault.ts'
import type { MediaProcess } from '../tools/process.ts'
import { type DecodeSoundJob, startSoundDecoder } from './sound-decode.ts'
import { SAMPLE_BYTES } from './sound-file.ts'

/** A sound that is being decoded. */
export interface DecodedSound {
  /** Its samples, in order; to be read once. */
  readonly pieces: AsyncGenerator<Float32Array>
  /** The errors that ffmpeg reported, once all pieces were read; empty without any. */
  errors(): string
  /** Ends the decoding, finished or not. */
  close(): Promise<void>
}

/** The samples that a process writes, in whole pairs. */
async function* samplesOf(child: MediaProcess): AsyncGenerator<Float32Array> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const whole = bytes.length - (bytes.length % SAMPLE_BYTES)
    rest = bytes.subarray(whole)
    if (whole === 0) continue
    const samples = new Float32Array(whole / Float32Array.BYTES_PER_ELEMENT)
    new Uint8Array(samples.buffer).set(bytes.subarray(0, whole))
    yield samples
  }
}

/**
 * Decodes sound to be read while it is decoded, and resolves at its first samples. A source that breaks off after them is
 * as long as what could be decoded.
 */
export const streamSound = async (job: Omit<DecodeSoundJob, 'output'>): Promise<DecodedSound> => {
  const child = await startSoundDecoder(job)
  const samples = samplesOf(child)
  let errors = ''
  const finish = async (hasSamples: boolean) => {
    try {
      await child.finished
      errors = child.reported() ?? ''
    } catch (error) {
      job.signal.throwIfAborted()
      if (!hasSamples || !isSourceFault(error)) throw error
      errors = describeCause(error)
    }
    // No samples and no errors: the source ends before the wanted part.
    if (!hasSamples && errors !== '') throw fail('VID_FFMPEG_PROBE', { file: job.file, reason: errors })
  }
  const close = async () => {
    child.kill()
    await child.finished.catch(() => {})
  }
  const next = async (isFirst: boolean): Promise<IteratorResult<Float32Array, undefined>> => {
    const result = await samples.next().catch(async (error: unknown) => {
      // When the process failed too, it has the cause.
      await child.finished
      throw error
    })
    if (result.done) await finish(!isFirst)
    return result
  }
  const read = async function* (first: IteratorResult<Float32Array, undefined>) {
    for (let piece = first; !piece.done; piece = await next(false)) yield piece.value
  }
  try {
    return { pieces: read(await next(true)), errors: () => errors, close }
  } catch (error) {
    await close()
    throw error
  }
}
