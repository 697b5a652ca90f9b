import type { MediaPackets, PacketConfig } from '../../contract/packets.ts'
import { createPacketReader } from './packet-reader.ts'

/** Packets that are decoded ahead of the one that is shown. */
const AHEAD = 6

/** Packets that the decoder may hold: a picture can depend on many others before it is shown. */
const MAX_QUEUED = 40

/** The configuration for WebCodecs. */
export const decoderConfig = ({ codec }: PacketConfig): VideoDecoderConfig => ({
  codec,
  // The same pictures on every machine.
  hardwareAcceleration: 'prefer-software',
})

/** The output pictures of a decoder, by timestamp, until they are closed. */
const createPictureQueue = () => {
  const frames = new Map<number, VideoFrame>()
  let failure: unknown
  let wake = () => {}
  /** Timestamp of the last picture: pictures come in the order of their timestamps. */
  let latest = -Infinity
  return {
    frames,
    latest: () => latest,
    closeWhere(isOld: (tick: number) => boolean) {
      for (const [tick, frame] of frames)
        if (isOld(tick)) {
          frame.close()
          frames.delete(tick)
        }
    },
    reset() {
      latest = -Infinity
    },
    add(frame: VideoFrame) {
      latest = frame.timestamp
      frames.set(frame.timestamp, frame)
    },
    wake: () => wake(),
    fail(error: unknown) {
      failure = error
      wake()
    },
    /** The picture with a timestamp, if it is decoded; throws if the decoder has failed. */
    take(tick: number): VideoFrame | undefined {
      const frame = frames.get(tick)
      if (!frame && failure !== undefined) throw failure
      return frame
    },
    /** Resolves at the next picture or error. */
    change: () =>
      new Promise<void>((resolve) => {
        wake = resolve
      }),
  }
}

/** Creates the decoder of one source; a picture is valid until the next one is decoded. */
export const createPictureDecoder = (initial: MediaPackets) => {
  let packets = initial
  let read = createPacketReader(initial)
  const queue = createPictureQueue()
  let decoder: VideoDecoder | undefined
  /** Index in the whole file of the next packet to decode; undefined when decoding must start again. */
  let next: number | undefined
  let queued = 0
  let minTick = -Infinity

  const createDecoder = () => {
    const created = new VideoDecoder({
      output(frame) {
        queued -= 1
        queue.add(frame)
        queue.closeWhere((tick) => tick < minTick)
        queue.wake()
      },
      error: queue.fail,
    })
    created.ondequeue = queue.wake
    return created
  }
  /** Whether the decoder's queue is empty; more packets would only fill memory with pictures for later. */
  const isIdle = () => decoder?.decodeQueueSize === 0
  const start = (index: number) => {
    if (decoder?.state === 'configured') decoder.reset()
    decoder ??= createDecoder()
    decoder.configure(decoderConfig(packets.config))
    queue.closeWhere(() => true)
    queue.reset()
    queued = 0
    next = index
  }
  const decodePacket = async (index: number) => {
    const inShow = index - packets.first
    const data = await read(inShow)
    const type = packets.keys.includes(inShow) ? 'key' : 'delta'
    decoder?.decode(new EncodedVideoChunk({ type, timestamp: packets.ticks[inShow] ?? 0, data }))
    queued += 1
    next = index + 1
  }
  const end = () => packets.first + packets.sizes.length

  return {
    setPackets(other: MediaPackets) {
      packets = other
      read = createPacketReader(other)
    },
    config: () => packets.config,
    async decode(tick: number): Promise<VideoFrame> {
      const inShow = packets.ticks.indexOf(tick)
      if (inShow < 0) throw new Error(`no packet of ${packets.url} is shown at ${tick}`)
      const index = packets.first + inShow
      const key = packets.first + Math.max(...packets.keys.filter((key) => key <= inShow))
      minTick = tick
      queue.closeWhere((timestamp) => timestamp < tick)
      if (!queue.frames.has(tick) && (next === undefined || next < key || tick <= queue.latest())) start(key)
      while (next !== undefined && next <= index + AHEAD && next < end()) await decodePacket(next)
      for (;;) {
        const frame = queue.take(tick)
        if (frame) return frame
        if (next === undefined) throw new Error(`no picture came for ${tick} of ${packets.url}`)
        if (next >= end()) {
          // A decoder outputs the last pictures only when it is flushed; then it must start at a key frame.
          next = undefined
          await decoder?.flush()
        } else if (isIdle() && queued < MAX_QUEUED) await decodePacket(next)
        else await queue.change()
      }
    },
    close() {
      queue.closeWhere(() => true)
      if (decoder && decoder.state !== 'closed') decoder.close()
    },
  }
}
