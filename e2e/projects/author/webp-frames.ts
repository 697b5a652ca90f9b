import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeFrames } from '@vid/ffmpeg'

/** The chunks of a RIFF file between two places: name → body. */
function* chunks(bytes: Buffer, from: number): Generator<readonly [string, Buffer]> {
  for (let offset = from; offset + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(offset + 4)
    yield [bytes.toString('latin1', offset, offset + 4), bytes.subarray(offset + 8, offset + 8 + size)]
    offset += 8 + size + (size % 2)
  }
}

/** A file of one picture around a frame's chunks. */
const still = (picture: Buffer): Buffer => {
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(picture.length + 4, 4)
  return Buffer.concat([head, picture])
}

/** RGBA pictures of an animated WebP whose frames are whole pictures; ffmpeg itself reads only stills. */
export async function* webpFrames(file: string): AsyncGenerator<Uint8Array> {
  const bytes = await readFile(file)
  const animated = [...chunks(bytes, 12)].filter(([name]) => name === 'ANMF')
  // 16 bytes of place, size and duration come before a frame's own chunks.
  const stills = animated.length > 0 ? animated.map(([, body]) => still(body.subarray(16))) : [bytes]
  const folder = await mkdtemp(join(tmpdir(), 'webp-'))
  try {
    for (const picture of stills) {
      await writeFile(join(folder, 'still.webp'), picture)
      yield* decodeFrames(join(folder, 'still.webp'), { pixFmt: 'rgba' })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
