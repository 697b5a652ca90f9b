import type { MediaPackets, PacketConfig } from '../contract.ts'

/** Asks whether packets can be decoded; `module` is `pixels.wat` in base64. */
export interface PacketQuestion {
  readonly config: PacketConfig
  readonly module: string
}

/** Tells where the packets of a source lie; those of the same address before are forgotten. */
export interface PacketSupply {
  readonly packets: MediaPackets
}

/** Asks for the picture at a time stamp, and whether it is one that will only be asked for next. */
export interface PacketOrder {
  readonly url: string
  readonly tick: number
  readonly isEarly: boolean
  /** The pixels of an answer, given back to be used again. */
  readonly used?: ArrayBuffer
}

/** Forgets the packets of an address. */
export interface PacketEnd {
  readonly ended: string
}

/** What the page sends to the worker. */
export type PacketJob = PacketQuestion | PacketSupply | PacketOrder | PacketEnd

/** Opaque RGBA pixels in rows of `wide`, of which `width` belong to the picture. */
export interface PacketPicture {
  readonly pixels: ArrayBuffer
  readonly wide: number
  readonly width: number
  readonly height: number
}

/** What the worker answers to each job, in order. */
export type PacketAnswer = PacketPicture | { readonly done: boolean } | { readonly problem: string }

interface PixelsModule {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  set(black: number, y: number, rv: number, gu: number, gv: number, bu: number): void
  convert(from: number, to: number, width: number, height: number): void
}

/**
 * Runs as a worker, from its own source text: it must name nothing outside itself. It decodes packets and makes pixels
 * of the pictures by the module's own arithmetic: that of browsers is up to eight steps off in blue. A worker, because
 * modules run slowly in a page that a debugger watches.
 */
export const packetWorker = (scope: {
  onmessage: ((event: MessageEvent<PacketJob>) => void) | null
  postMessage(answer: PacketAnswer, transfer: Transferable[]): void
}): void => {
  /** Packets given to the decoder ahead of the one that is shown. */
  const ahead = 6
  /** Packets that may be under way: a picture can wait for many others before it is shown. */
  const mostUnderWay = 40
  /** Bytes that are read at once. */
  const blockBytes = 1 << 20
  /** Pixels in a row that the module converts as a whole. */
  const step = 16

  const decoderConfig = ({ codec }: PacketConfig): VideoDecoderConfig => ({
    codec,
    // The same pictures on every machine.
    hardwareAcceleration: 'prefer-software',
  })

  /** Reads packets in blocks; a block is asked for while the one before is used. */
  const createReader = (packets: MediaPackets) => {
    const starts = [packets.offset]
    const blocks: number[] = []
    for (const [index, size] of packets.sizes.entries()) {
      const start = starts[index] ?? 0
      if (index === 0 || start - (starts[blocks.at(-1) ?? 0] ?? 0) >= blockBytes) blocks.push(index)
      starts.push(start + size)
    }
    const read = new Map<number, Promise<ArrayBuffer>>()
    const fetchBlock = async (from: number, to: number) => {
      const answer = await fetch(packets.url, { headers: { range: `bytes=${from}-${to - 1}` } })
      const bytes = await answer.arrayBuffer()
      if (bytes.byteLength !== to - from) throw new Error(`packets of ${packets.url} are missing`)
      return bytes
    }
    const load = (block: number): Promise<ArrayBuffer> | undefined => {
      const from = starts[blocks[block] ?? -1]
      if (from === undefined) return undefined
      const to = starts[blocks[block + 1] ?? starts.length - 1] ?? from
      const loading = read.get(block) ?? fetchBlock(from, to)
      loading.catch(() => undefined)
      read.set(block, loading)
      return loading
    }
    return async (index: number): Promise<Uint8Array<ArrayBuffer>> => {
      const after = blocks.findIndex((first) => first > index)
      const block = (after < 0 ? blocks.length : after) - 1
      for (const other of read.keys()) if (other < block || other > block + 1) read.delete(other)
      const loading = load(block)
      load(block + 1)
      if (!loading) throw new Error(`packet ${index} of ${packets.url} is none`)
      const start = (starts[index] ?? 0) - (starts[blocks[block] ?? 0] ?? 0)
      return new Uint8Array(await loading, start, packets.sizes[index])
    }
  }

  /** Decodes the packets of one source; a picture is valid until the next is asked for. */
  const createDecoder = (all: MediaPackets) => {
    let packets = all
    let read = createReader(all)
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
        read = createReader(other)
      },
      colour: () => packets.config,
      async at(tick: number): Promise<VideoFrame> {
        const own = packets.ticks.indexOf(tick)
        if (own < 0) throw new Error(`no packet of ${packets.url} is shown at ${tick}`)
        const index = packets.first + own
        const key = packets.first + Math.max(...packets.keys.filter((each) => each <= own))
        wanted = tick
        drop((each) => each < tick)
        if (!frames.has(tick) && (next === undefined || next < key || tick <= latest)) start(key)
        while (next !== undefined && next <= index + ahead && next < end()) await give(next)
        for (;;) {
          const frame = frames.get(tick)
          if (frame) return frame
          if (failure !== undefined) throw failure
          if (next !== undefined && next < end() && underWay < mostUnderWay) await give(next)
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

  let pixels: PixelsModule | undefined
  const free: ArrayBuffer[] = []

  /** Coefficients of a matrix and range as the module takes them. */
  const coefficients = ({ matrix, fullRange }: PacketConfig): Parameters<PixelsModule['set']> => {
    const [red, blue] = matrix === 'bt709' ? [0.2126, 0.0722] : [0.299, 0.114]
    const green = 1 - red - blue
    const [luma, chroma] = fullRange ? [1, 1] : [255 / 219, 255 / 224]
    const [rv, bu] = [2 * (1 - red) * chroma, 2 * (1 - blue) * chroma]
    const unit = (share: number) => Math.round(share * 8192)
    const black = fullRange ? 0 : 16
    return [black, unit(luma), unit(rv), unit((-bu * blue) / green), unit((-rv * red) / green), unit(bu)]
  }

  const picture = async (frame: VideoFrame, config: PacketConfig): Promise<PacketPicture> => {
    const { format, visibleRect } = frame
    if (!pixels || format !== 'I420' || !visibleRect) throw new Error(`a picture is ${String(format)}`)
    const { memory, set, convert } = pixels
    const { width, height } = visibleRect
    const wide = Math.ceil(width / step) * step
    const [lumas, chromas] = [wide * height, (wide / 2) * Math.ceil(height / 2)]
    const to = Math.ceil((lumas + 2 * chromas) / step) * step
    const missing = to + lumas * 4 - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / 65536))
    await frame.copyTo(new Uint8Array(memory.buffer, 0, to), {
      layout: [
        { offset: 0, stride: wide },
        { offset: lumas, stride: wide / 2 },
        { offset: lumas + chromas, stride: wide / 2 },
      ],
    })
    set(...coefficients(config))
    convert(0, to, wide, height)
    const found = free.findIndex(({ byteLength }) => byteLength === lumas * 4)
    const [place = new ArrayBuffer(lumas * 4)] = found < 0 ? [] : free.splice(found, 1)
    new Uint8Array(place).set(new Uint8Array(memory.buffer, to, lumas * 4))
    return { pixels: place, wide, width, height }
  }

  const isSupported = async ({ config, module }: PacketQuestion): Promise<boolean> => {
    const bytes = Uint8Array.from(atob(module), (each) => each.charCodeAt(0))
    pixels ??= (await WebAssembly.instantiate(bytes)).instance.exports as unknown as PixelsModule
    const { supported } = await VideoDecoder.isConfigSupported(decoderConfig(config))
    return supported === true
  }

  const decoders = new Map<string, ReturnType<typeof createDecoder>>()
  /** Pictures that will be asked for next, by address. */
  const early = new Map<string, { readonly tick: number; readonly made: PacketPicture }>()

  const show = async ({ url, tick, isEarly, used }: PacketOrder): Promise<PacketPicture | undefined> => {
    if (used && free.length < 4) free.push(used)
    const known = early.get(url)
    early.delete(url)
    if (known?.tick === tick) return known.made
    if (known) free.push(known.made.pixels)
    const decoder = decoders.get(url)
    if (!decoder) throw new Error(`no packets of ${url}`)
    const made = await picture(await decoder.at(tick), decoder.colour())
    if (!isEarly) return made
    early.set(url, { tick, made })
    return undefined
  }

  const answer = async (job: PacketJob): Promise<PacketAnswer> => {
    if ('module' in job) return { done: await isSupported(job) }
    if ('tick' in job) return (await show(job)) ?? { done: true }
    if ('ended' in job) {
      decoders.get(job.ended)?.close()
      decoders.delete(job.ended)
      early.delete(job.ended)
      return { done: true }
    }
    const { packets } = job
    const known = decoders.get(packets.url)
    known?.take(packets)
    if (!known) decoders.set(packets.url, createDecoder(packets))
    return { done: true }
  }

  let last: Promise<void> = Promise.resolve()
  scope.onmessage = ({ data: job }) => {
    last = last.then(async () => {
      try {
        const done = await answer(job)
        scope.postMessage(done, 'pixels' in done ? [done.pixels] : [])
      } catch (error) {
        scope.postMessage({ problem: String(error) }, [])
      }
    })
  }
}
