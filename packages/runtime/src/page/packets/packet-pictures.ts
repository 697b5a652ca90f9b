import type { MediaPackets, PacketConfig } from '../../contract.ts'
import { createPacketReader } from './packet-reader.ts'

/** Packets given to the decoder ahead of the one that is shown. */
const AHEAD = 6

/** Packets that may be under way: a picture can wait for many others before it is shown. */
const MOST_UNDER_WAY = 40

/** As WebCodecs takes it. */
export const decoderConfig = ({ codec }: PacketConfig): VideoDecoderConfig => ({
  codec,
  // The same pictures on every machine.
  hardwareAcceleration: 'prefer-software',
})

/** Makes the decoder of one source; a picture is valid until the next is asked for. */
export const createPictures = (all: MediaPackets) => {
  let packets = all
  let read = createPacketReader(all)
  const frames = new Map<number, VideoFrame>()
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
    decoder ??= new VideoDecoder({
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
    decoder.configure(decoderConfig(packets.config))
    drop(() => true)
    underWay = 0
    latest = -Infinity
    next = index
  }
  const give = async (index: number) => {
    const own = index - packets.first
    const data = await read(own)
    const type = packets.keys.includes(own) ? 'key' : 'delta'
    decoder?.decode(new EncodedVideoChunk({ type, timestamp: packets.ticks[own] ?? 0, data }))
    underWay += 1
    next = index + 1
  }
  const end = () => packets.first + packets.sizes.length

  return {
    take(other: MediaPackets) {
      packets = other
      read = createPacketReader(other)
    },
    config: () => packets.config,
    async at(tick: number): Promise<VideoFrame> {
      const own = packets.ticks.indexOf(tick)
      if (own < 0) throw new Error(`no packet of ${packets.url} is shown at ${tick}`)
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
        } else if (next === undefined) throw new Error(`no picture came for ${tick} of ${packets.url}`)
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
