import type { FileHandle } from 'node:fs/promises'
import { bodyAt, HEAD_BYTES } from './boxes.ts'
import { type Sample, type Track, tracksIn } from './track.ts'

interface StreamedBox {
  readonly type: string
  readonly body: Buffer
}

/** The boxes of a stream, each as soon as it is complete. */
async function* boxesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<StreamedBox> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    bytes += chunk.length
    let length = HEAD_BYTES
    while (bytes >= length) {
      const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      chunks = [all]
      length = Math.max(HEAD_BYTES, all.readUInt32BE(0))
      if (bytes < length) break
      yield { type: all.toString('latin1', 4, HEAD_BYTES), body: all.subarray(HEAD_BYTES, length) }
      chunks = [all.subarray(length)]
      bytes -= length
      length = HEAD_BYTES
    }
  }
}

/** Flags of the boxes of a fragment: which fields it has. */
const HAS = { base: 0x1, description: 0x2, duration: 0x8, size: 0x10 }
const RUN_HAS = { offset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, shift: 0x800 }

const flagsOf = (body: Buffer): number => body.readUInt32BE(0) & 0xff_ff_ff

/** Reads numbers of 32 bits, one after another. */
const createCursor = (body: Buffer, start: number) => {
  let offset = start
  const skip = (bytes: number) => {
    offset += bytes
  }
  const read = () => {
    skip(4)
    return body.readUInt32BE(offset - 4)
  }
  return { read, skip }
}

/** Duration and size of the samples of a fragment that has not its own. */
const defaultsOf = (header: Buffer) => {
  const flags = flagsOf(header)
  // Behind the flags and the number of the track.
  const { read, skip } = createCursor(header, 8)
  if (flags & HAS.base) skip(8)
  if (flags & HAS.description) skip(4)
  const duration = flags & HAS.duration ? read() : 0
  const bytes = flags & HAS.size ? read() : 0
  return { duration, bytes }
}

/** The packets of sound in a fragment of one track, whose data begins at an offset. */
const packetsIn = (fragment: Buffer, dataOffset: number): Sample[] => {
  const defaults = defaultsOf(bodyAt(fragment, ['traf', 'tfhd']) ?? Buffer.alloc(8))
  const run = bodyAt(fragment, ['traf', 'trun'])
  if (!run) return []
  const flags = flagsOf(run)
  const { read, skip } = createCursor(run, 8)
  if (flags & RUN_HAS.offset) skip(4)
  if (flags & RUN_HAS.firstFlags) skip(4)
  let offset = dataOffset
  return Array.from({ length: run.readUInt32BE(4) }, () => {
    const duration = flags & RUN_HAS.duration ? read() : defaults.duration
    const bytes = flags & RUN_HAS.size ? read() : defaults.bytes
    if (flags & RUN_HAS.flags) skip(4)
    if (flags & RUN_HAS.shift) skip(4)
    offset += bytes
    return { offset: offset - bytes, bytes, duration, shift: 0, isKey: true }
  })
}

/** What is read of a track in fragments. */
export interface FragmentEvents {
  onTrack(track: Track): void
  /** Packets whose data is in the file. */
  onPackets(packets: readonly Sample[]): void
}

/** Reads an mp4 of one track of sound in fragments to its end, and writes the data of its packets to a file. */
export const readFragments = async (
  stream: AsyncIterable<Buffer>,
  handle: FileHandle,
  { onTrack, onPackets }: FragmentEvents,
): Promise<void> => {
  let packets: Sample[] = []
  let position = 0
  for await (const { type, body } of boxesOf(stream)) {
    if (type === 'moov') for (const track of tracksIn(body)) onTrack(track)
    if (type === 'moof') packets = packetsIn(body, position)
    if (type !== 'mdat') continue
    for (let written = 0; written < body.length; )
      written += (await handle.write(body, written, body.length - written, position + written)).bytesWritten
    position += body.length
    onPackets(packets)
  }
}
