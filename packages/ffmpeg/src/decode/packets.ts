import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { TICKS } from '../probe/frame-times.ts'
import type { VideoStream } from '../probe/probe.ts'
import type { SourceFile } from '../probe/source.ts'
import type { FfmpegTools } from '../tools/find.ts'
import { QUIET, runProcess } from '../tools/process.ts'
import { matrixOf, rangeOf } from './extract.ts'

/** The file that a stream's packets are copied into, one after the other. */
export const PACKETS_FILE = 'packets.h264'

/** Packets of a source, as a decoder takes them: in the order in which they are decoded. */
export interface Packets {
  /** As WebCodecs names it. */
  readonly codec: string
  /** Bytes of each. */
  readonly sizes: readonly number[]
  /** Time stamp at which each is shown, whole ticks. */
  readonly ticks: readonly number[]
  /** Indexes of those from which decoding may begin, ascending; the first is 0. */
  readonly keys: readonly number[]
}

/** The colours of a stream in the words of WebCodecs; what is not tagged is guessed as for extraction. */
export interface PacketColour {
  readonly matrix: 'bt709' | 'smpte170m' | 'bt470bg'
  readonly fullRange: boolean
}

const COLOURS: Readonly<Record<string, PacketColour['matrix']>> = {
  bt709: 'bt709',
  smpte170m: 'smpte170m',
  bt470bg: 'bt470bg',
}

/** Frames between two beginnings: with more, a jump would decode for a while before it shows anything. */
const MOST_BETWEEN_KEYS = 600

/** Seconds that packets are copied around what is shown: those are not in the order of their times. */
const MARGIN_S = 2

/** The colours of a picture that a browser can decode to what extraction would show; undefined when it cannot. */
export const packetColour = (picture: SourceFile['picture']): PacketColour | undefined => {
  if (!picture || picture.alpha || picture.hdr) return undefined
  const { codec, pixFmt = '', pixelAspect, rotation = 0 }: VideoStream = picture.stream
  if (codec !== 'h264' || pixelAspect || rotation !== 0 || !/^yuvj?420p$/.test(pixFmt)) return undefined
  const matrix = COLOURS[matrixOf(picture.stream)]
  return matrix && { matrix, fullRange: rangeOf(picture.stream) === 'pc' }
}

const readTable = (printed: string) => {
  const [, num = 1, den = TICKS] = /^#tb 0: (\d+)\/(\d+)$/m.exec(printed)?.map(Number) ?? []
  const rows = printed.split('\n').filter((line) => /^0,/.test(line))
  return rows.map((row) => {
    const [, , pts, , size, , flags = ''] = row.split(',').map((cell) => cell.trim())
    const tick = Math.round((Number(pts) * num * TICKS) / den)
    // Flags are printed when they are others than that of a key.
    return { tick, size: Number(size), isMarked: !flags.startsWith('F=') }
  })
}

/** Bytes that hold what stands before the first slice of a packet. */
const HEAD_BYTES = 4096
const SLICE = 1
const IDR_SLICE = 5
const SEQUENCE_PARAMETERS = 7

/** What the beginning of a packet says: whether its picture needs no other, and the profile and level. */
const readHead = (head: Uint8Array): { readonly isIdr: boolean; readonly codec?: string } => {
  let codec: string | undefined
  for (let at = 0; at + 6 < head.length; at++) {
    if (head[at] !== 0 || head[at + 1] !== 0 || head[at + 2] !== 1) continue
    const kind = (head[at + 3] ?? 0) & 31
    if (kind === SEQUENCE_PARAMETERS)
      codec ??= `avc1.${Buffer.from(head.subarray(at + 4, at + 7)).toString('hex')}`
    if (kind >= SLICE && kind <= IDR_SLICE) return { isIdr: kind === IDR_SLICE, ...(codec && { codec }) }
  }
  return { isIdr: false }
}

/** The packets that picture frames of these time stamps need, copied into a folder; undefined when they cannot be used. */
export const copyPackets = async (job: {
  readonly source: SourceFile & { readonly picture: NonNullable<SourceFile['picture']> }
  /** Whole ticks, in any order. */
  readonly shown: readonly number[]
  readonly folder: string
  readonly tools: FfmpegTools
  readonly signal: AbortSignal
}): Promise<Packets | undefined> => {
  const { source, shown, folder, tools, signal } = job
  const [low, high] = shown.reduce(
    ([least, most], tick) => [Math.min(least, tick), Math.max(most, tick)],
    [Infinity, -Infinity],
  )
  const from = low / TICKS - MARGIN_S
  const file = join(folder, PACKETS_FILE)
  const copy = ['-map', `0:${source.picture.stream.index}`, '-c', 'copy', '-bsf:v', 'h264_mp4toannexb']
  const args = [
    ...[...QUIET, '-nostdin', '-y', '-copyts'],
    ...(source.hasIndex && from > source.origin ? ['-seek_timestamp', '1', '-ss', from.toFixed(4)] : []),
    ...(source.hasIndex ? ['-to', (high / TICKS + MARGIN_S).toFixed(4)] : []),
    ...['-protocol_whitelist', 'file', '-i', `file:${source.file}`],
    ...[...copy, '-f', 'h264', file, ...copy, '-f', 'framecrc', '-'],
  ]
  const printed = await runProcess(tools.ffmpeg, args, signal, { strict: true }).catch(() => {
    signal.throwIfAborted()
    // A damaged stream is shown as far as it decodes.
    return undefined
  })
  if (printed === undefined) return undefined
  const table = readTable(printed)
  const keys: number[] = []
  let codec: string | undefined
  let offset = 0
  await using handle = await open(file)
  for (const [index, { size, isMarked }] of table.entries()) {
    if (isMarked) {
      const head = Buffer.alloc(Math.min(size, HEAD_BYTES))
      const { bytesRead } = await handle.read(head, 0, head.length, offset)
      const found = readHead(head.subarray(0, bytesRead))
      codec ??= found.codec
      if (found.isIdr) keys.push(index)
    }
    offset += size
  }
  const ticks = table.map(({ tick }) => tick)
  const isWhole = (await handle.stat()).size === offset && table.every(({ size }) => size > 0)
  const isNear = [...keys, table.length].every((key, nth) => key - (keys[nth - 1] ?? 0) <= MOST_BETWEEN_KEYS)
  const has = new Set(ticks)
  const isUsable =
    keys[0] === 0 && isWhole && isNear && has.size === ticks.length && shown.every((tick) => has.has(tick))
  return codec !== undefined && isUsable
    ? { codec, sizes: table.map(({ size }) => size), ticks, keys }
    : undefined
}
