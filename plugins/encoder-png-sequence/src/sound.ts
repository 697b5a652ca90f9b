import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { findFfmpeg, mediaInput, QUIET, runProcess } from '@vid/ffmpeg'

const HEADER_BYTES = 7

/** Length of an ADTS frame from its header. */
const frameBytes = (header: Buffer) =>
  ((header.readUInt8(3) & 3) << 11) | (header.readUInt8(4) << 3) | (header.readUInt8(5) >> 5)

/**
 * Encodes sound as AAC at 192 kb/s in bare ADTS frames. The first frame is dropped: it is the encoder's delay of 21 ms,
 * which such a file cannot tell players to skip.
 */
export const encodeAac = async (wav: string, path: string, signal: AbortSignal): Promise<void> => {
  const { ffmpeg } = await findFfmpeg({ signal })
  const whole = `${path}.adts`
  const args = [...(await mediaInput(wav)), '-map', '0:a:0', '-c:a', 'aac', '-b:a', '192k', '-flags', '+bitexact']
  try {
    await runProcess(ffmpeg, [...QUIET, ...args, '-f', 'adts', '-y', `file:${whole}`], signal, {
      strict: true,
    })
    const handle = await open(whole)
    const { buffer } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0).finally(() => handle.close())
    await pipeline(createReadStream(whole, { start: frameBytes(buffer) }), createWriteStream(path), {
      signal,
    })
  } finally {
    await rm(whole, { force: true })
  }
}
