import { constants, open } from 'node:fs/promises'
import { join } from 'node:path'
import { TICKS } from '../probe/frame-times.ts'
import { readMedia } from '../probe/media-read.ts'
import type { VideoStream } from '../probe/probe.ts'
import type { SourceFile } from '../probe/source.ts'
import { isSourceFault } from '../probe/source-fault.ts'
import type { FfmpegTools } from '../tools/find.ts'
import { QUIET } from '../tools/process.ts'
import { matrixOf, rangeOf } from './extract.ts'

/** Name of the file that a stream's packets are copied into, one after the other. */
export const PACKETS_FILE = 'packets.h264'

/** Packets of a source in decoding order. */
export interface Packets {
  /** Codec string of WebCodecs, such as `avc1.640028`. */
  readonly codec: string
  /** Size of each packet in bytes. */
  readonly sizes: readonly number[]
  /** Presentation time stamp of each packet in whole ticks. */
  readonly ticks: readonly number[]
  /** Indexes of the key frames, where decoding can start, ascending; the first is 0. */
  readonly keys: readonly number[]
}

/** Colour space of a stream by WebCodecs' names; missing tags are inferred as for extraction. */
export interface PacketColour {
  readonly matrix: 'bt709' | 'smpte170m' | 'bt470bg'
  readonly fullRange: boolean
}

const COLOURS: Readonly<Record<string, PacketColour['matrix']>> = {
  bt709: 'bt709',
  smpte170m: 'smpte170m',
  bt470bg: 'bt470bg',
}

/** Limit on the distance between key frames: with more, a seek would decode too long before it shows a frame. */
const MAX_KEY_DISTANCE = 600

/** Seconds copied before and after what is shown, since packets are not in the order of their time stamps. */
const MARGIN_S = 2

/** Colour space of a picture that a browser decodes to the same pixels as extraction; undefined when it would not. */
export const packetColour = (picture: SourceFile['picture']): PacketColour | undefined => {
  if (!picture || picture.alpha || picture.hdr) return undefined
  const { codec, pixFmt = '', pixelAspect, rotation = 0, mirror }: VideoStream = picture.stream
  if (codec !== 'h264' || pixelAspect || rotation !== 0 || mirror || !/^yuvj?420p$/.test(pixFmt)) return undefined
  const matrix = COLOURS[matrixOf(picture.stream)]
  return matrix && { matrix, fullRange: rangeOf(picture.stream) === 'pc' }
}

const readTable = (table: string) => {
  const [, num = 1, den = TICKS] = /^#tb 0: (\d+)\/(\d+)$/m.exec(table)?.map(Number) ?? []
  const rows = table.split('\n').filter((line) => /^0,/.test(line))
  return rows.map((row) => {
    const [, , pts, , size, , flags = ''] = row.split(',').map((cell) => cell.trim())
    const tick = Math.round((Number(pts) * num * TICKS) / den)
    // Flags are printed only when they are not exactly the key flag.
    return { tick, size: Number(size), isMarked: !flags.startsWith('F=') }
  })
}

/** Bytes read of each packet: enough for all units before its first slice. */
const HEAD_BYTES = 4096
const SLICE = 1
const IDR_SLICE = 5
const SEQUENCE_PARAMETERS = 7

/** Reads the beginning of an H.264 packet: whether its picture is an IDR picture, and profile and level. */
const readHead = (head: Uint8Array): { readonly isIdr: boolean; readonly codec?: string } => {
  let codec: string | undefined
  for (let offset = 0; offset + 6 < head.length; offset++) {
    if (head[offset] !== 0 || head[offset + 1] !== 0 || head[offset + 2] !== 1) continue
    const kind = (head[offset + 3] ?? 0) & 31
    if (kind === SEQUENCE_PARAMETERS)
      codec ??= `avc1.${Buffer.from(head.subarray(offset + 4, offset + 7)).toString('hex')}`
    if (kind >= SLICE && kind <= IDR_SLICE) return { isIdr: kind === IDR_SLICE, ...(codec && { codec }) }
  }
  return { isIdr: false }
}

/** Copies the packets that decode to the frames at these time stamps into a folder; undefined when they cannot be used. */
export const copyPackets = async (job: {
  readonly source: SourceFile & { readonly picture: NonNullable<SourceFile['picture']> }
  /** Whole ticks, in any order. */
  readonly shown: readonly number[]
  readonly folder: string
  readonly tools: FfmpegTools
  readonly signal: AbortSignal
}): Promise<Packets | undefined> => {
  const { source, shown: frameTicks, folder, tools, signal } = job
  // Their order is known to the decoder alone.
  if ((await source.frameTimes(signal)).estimated) return undefined
  const [low, high] = frameTicks.reduce(
    ([least, most], tick) => [Math.min(least, tick), Math.max(most, tick)],
    [Infinity, -Infinity],
  )
  const from = low / TICKS - MARGIN_S
  const file = join(folder, PACKETS_FILE)
  const copy = ['-map', `0:${source.picture.stream.index}`, '-c', 'copy', '-bsf:v', 'h264_mp4toannexb']
  const before = [
    ...QUIET,
    '-nostdin',
    '-y',
    '-copyts',
    ...(source.hasIndex && from > source.origin ? ['-seek_timestamp', '1', '-ss', from.toFixed(4)] : []),
    ...(source.hasIndex ? ['-to', (high / TICKS + MARGIN_S).toFixed(4)] : []),
  ]
  const after = [...copy, '-f', 'h264', file, ...copy, '-f', 'framecrc', '-']
  const command = { program: tools.ffmpeg, before, file: source.file, after, writes: folder }
  const read = await readMedia(command, signal, { strict: true }).catch((cause: unknown) => {
    signal.throwIfAborted()
    if (!isSourceFault(cause)) throw cause
    // A damaged stream is extracted as far as it decodes.
    return undefined
  })
  if (read === undefined) return undefined
  const table = readTable(read.stdout)
  const keys: number[] = []
  let codec: string | undefined
  let offset = 0
  await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  for (const [index, { size, isMarked }] of table.entries()) {
    if (isMarked) {
      const head = Buffer.alloc(Math.min(size, HEAD_BYTES))
      const { bytesRead } = await handle.read(head, 0, head.length, offset)
      const header = readHead(head.subarray(0, bytesRead))
      codec ??= header.codec
      if (header.isIdr) keys.push(index)
    }
    offset += size
  }
  const ticks = table.map(({ tick }) => tick)
  const isWhole = (await handle.stat()).size === offset && table.every(({ size }) => size > 0)
  const isNear = [...keys, table.length].every((key, nth) => key - (keys[nth - 1] ?? 0) <= MAX_KEY_DISTANCE)
  const has = new Set(ticks)
  const isUsable =
    keys[0] === 0 && isWhole && isNear && has.size === ticks.length && frameTicks.every((tick) => has.has(tick))
  return codec !== undefined && isUsable ? { codec, sizes: table.map(({ size }) => size), ticks, keys } : undefined
}
