import type { MediaPackets, PacketConfig } from '../contract.ts'
import { natives } from './natives.ts'

/** Decodes packets to the frame of a time stamp. */
export interface PacketDecoder {
  readonly url: string
  /** Takes other packets of the same file. */
  take(packets: MediaPackets): void
  /** The frame with a time stamp, valid until the next call; those that follow are begun. */
  at(tick: number): Promise<VideoFrame>
  close(): void
}

/** Packets given to the decoder ahead of the one that is shown. */
const AHEAD = 6

/** Packets that may be under way: a picture can wait for many others before it is shown. */
const MOST_UNDER_WAY = 40

/** Bytes that are read at once. */
const BLOCK_BYTES = 1 << 20

/** As WebCodecs takes it: sRGB stands for the transfer that all pictures of a page have. */
const decoderConfig = ({ codec, matrix, fullRange }: PacketConfig): VideoDecoderConfig => ({
  codec,
  colorSpace: { primaries: 'bt709', transfer: 'iec61966-2-1', matrix, fullRange },
  // The same pictures on every machine.
  hardwareAcceleration: 'prefer-software',
})

/** Whether the browser decodes such packets. */
export const canDecodePackets = async (config: PacketConfig): Promise<boolean> => {
  if (!natives.VideoDecoder) return false
  const { supported } = await natives.VideoDecoder.isConfigSupported(decoderConfig(config)).catch(() => ({
    supported: false,
  }))
  return supported === true
}

/** Reads packets in blocks; a block is asked for while the one before is used. */
const createReader = (url: string) => {
  let packets: MediaPackets | undefined
  let starts: number[] = []
  let blocks: number[] = []
  const read = new Map<number, Promise<ArrayBuffer>>()
  const load = (block: number): Promise<ArrayBuffer> | undefined => {
    const from = starts[blocks[block] ?? -1]
    if (from === undefined || !packets) return undefined
    const to = starts[blocks[block + 1] ?? starts.length - 1] ?? from
    const known = read.get(block)
    if (known) return known
    const loading = natives
      .fetch(url, { headers: { range: `bytes=${from}-${to - 1}` } })
      .then((answer) => natives.arrayBuffer.call(answer))
    loading.catch(() => undefined)
    read.set(block, loading)
    return loading
  }
  return {
    take(next: MediaPackets) {
      packets = next
      read.clear()
      starts = [next.offset]
      blocks = []
      for (const [index, size] of next.sizes.entries()) {
        const start = starts[index] ?? 0
        if (index === 0 || start - (starts[blocks.at(-1) ?? 0] ?? 0) >= BLOCK_BYTES) blocks.push(index)
        starts.push(start + size)
      }
    },
    async bytes(index: number): Promise<Uint8Array<ArrayBuffer>> {
      const after = blocks.findIndex((first) => first > index)
      const block = (after < 0 ? blocks.length : after) - 1
      for (const other of read.keys()) if (other < block - 1 || other > block + 1) read.delete(other)
      const loading = load(block)
      load(block + 1)
      if (!loading) throw new Error(`packet ${index} of ${url} is none`)
      const start = (starts[index] ?? 0) - (starts[blocks[block] ?? 0] ?? 0)
      return new Uint8Array(await loading, start, packets?.sizes[index])
    },
  }
}

/** Makes a decoder of packets; each of its methods rejects or throws when they cannot be decoded. */
export const createPacketDecoder = (first: MediaPackets): PacketDecoder => {
  const { url, config } = first
  const reader = createReader(url)
  const frames = new Map<number, VideoFrame>()
  let packets = first
  let decoder: VideoDecoder | undefined
  /** The packet to be given next, counted in the whole file; none when decoding must begin anew. */
  let next: number | undefined
  let underWay = 0
  let wanted = -Infinity
  /** Of the pictures that came, which come in the order of their times. */
  let latest = -Infinity
  let failure: unknown
  let wake = () => {}

  const drop = (isOld: (tick: number) => boolean) => {
    for (const [tick, frame] of frames)
      if (isOld(tick)) {
        frame.close()
        frames.delete(tick)
      }
  }
  const start = (index: number) => {
    if (decoder?.state === 'configured') decoder.reset()
    decoder ??= new natives.VideoDecoder({
      output(frame) {
        underWay -= 1
        latest = frame.timestamp
        frames.set(frame.timestamp, frame)
        drop((tick) => tick < wanted)
        wake()
      },
      error(error) {
        failure = error
        wake()
      },
    })
    decoder.configure(decoderConfig(config))
    drop(() => true)
    underWay = 0
    latest = -Infinity
    next = index
  }
  const give = async (index: number) => {
    const own = index - packets.first
    const data = await reader.bytes(own)
    const type = packets.keys.includes(own) ? 'key' : 'delta'
    decoder?.decode(new natives.EncodedVideoChunk({ type, timestamp: packets.ticks[own] ?? 0, data }))
    underWay += 1
    next = index + 1
  }
  const end = () => packets.first + packets.sizes.length

  reader.take(first)
  return {
    url,
    take(other) {
      packets = other
      reader.take(other)
    },
    async at(tick) {
      const own = packets.ticks.indexOf(tick)
      if (own < 0) throw new Error(`no packet of ${url} is shown at ${tick}`)
      const index = packets.first + own
      const key = packets.first + Math.max(...packets.keys.filter((each) => each <= own))
      wanted = tick
      drop((each) => each < tick)
      if (!frames.has(tick) && (next === undefined || next < key || tick <= latest)) start(key)
      while (next !== undefined && next <= index + AHEAD && next < end()) await give(next)
      for (;;) {
        const frame = frames.get(tick)
        if (frame) return frame
        if (failure !== undefined) throw failure
        if (next !== undefined && next < end() && underWay < MOST_UNDER_WAY) await give(next)
        else if (next !== undefined && next >= end()) {
          // The last pictures come when the decoder is told that nothing follows; it then begins anew.
          next = undefined
          await decoder?.flush()
        } else if (next === undefined) throw new Error(`no picture came for ${tick} of ${url}`)
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
    close() {
      drop(() => true)
      if (decoder && decoder.state !== 'closed') decoder.close()
    },
  }
}
