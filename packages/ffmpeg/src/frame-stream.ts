import type { FrameFormat } from '@vid/kernel'

/** How ffmpeg's raw decoder is told the layout of each raw format. */
const LAYOUTS: Partial<Record<FrameFormat, Buffer>> = {
  rgba: Buffer.from('RGBA', 'latin1'),
  yuv420p: Buffer.from('I420', 'latin1'),
  yuv420p10: Buffer.from([0x59, 0x33, 11, 10]),
}

/** Matroska's names of the elements in use. */
const ID = {
  header: 0x1a45dfa3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  language: 0x22b59c,
  codecId: 0x86,
  defaultDuration: 0x23e383,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  displayUnit: 0x54b2,
  colourSpace: 0x2eb524,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
} as const

const TRACK = 1
const UNKNOWN_UNIT = 4
/** The length of what goes on until the stream ends. */
const UNKNOWN_LENGTH = Buffer.from([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])

const idBytes = (id: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(id)
  return bytes.subarray(bytes.findIndex((byte) => byte !== 0))
}

const lengthBytes = (length: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length))
  bytes[0] = 0x01
  return bytes
}

const numberBytes = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

type Content = number | string | Buffer | readonly Buffer[]

const element = (id: number, content: Content): Buffer => {
  const parts =
    typeof content === 'number'
      ? [numberBytes(content)]
      : typeof content === 'string'
        ? [Buffer.from(content, 'latin1')]
        : Buffer.isBuffer(content)
          ? [content]
          : content
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([idBytes(id), lengthBytes(length), ...parts])
}

/** What a stream of raw frames holds. */
export interface FrameStream {
  readonly format: FrameFormat
  readonly width: number
  readonly height: number
  readonly fps: number
}

/** Whether frames of a format can be sent with their times. */
export const canStream = (format: FrameFormat): boolean => LAYOUTS[format] !== undefined

/** The beginning of a stream of raw frames: Matroska, since frames that have a time can be left out. */
export const streamHead = ({ format, width, height, fps }: FrameStream): Buffer => {
  const layout = LAYOUTS[format] ?? Buffer.alloc(4)
  // A frame is one tick long; the rounding is far below what a whole film would need to be a frame late.
  const frameNs = Math.round(1e9 / fps)
  const video = [
    element(ID.pixelWidth, width),
    element(ID.pixelHeight, height),
    // No shape of pixels: encoders would write one down.
    element(ID.displayUnit, UNKNOWN_UNIT),
    element(ID.colourSpace, layout),
  ]
  const entry = [
    ...[element(ID.trackNumber, TRACK), element(ID.trackUid, TRACK), element(ID.trackType, 1)],
    // Left out, it would mean English.
    element(ID.language, 'und'),
    ...[
      element(ID.codecId, 'V_UNCOMPRESSED'),
      element(ID.defaultDuration, frameNs),
      element(ID.video, video),
    ],
  ]
  return Buffer.concat([
    element(ID.header, [
      ...[element(ID.docType, 'matroska'), element(ID.docTypeVersion, 4), element(ID.docTypeReadVersion, 2)],
    ]),
    ...[idBytes(ID.segment), UNKNOWN_LENGTH],
    element(ID.info, [element(ID.timestampScale, frameNs)]),
    element(ID.tracks, [element(ID.trackEntry, entry)]),
  ])
}

/** What stands before the pixels of the `at`-th frame, counted from 0. */
export const frameHead = (at: number, bytes: number): Buffer => {
  const isKey = 0x80
  const block = Buffer.from([0x80 | TRACK, 0, 0, isKey])
  const inner = [element(ID.timestamp, at), idBytes(ID.simpleBlock), lengthBytes(block.length + bytes), block]
  const length = inner.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([idBytes(ID.cluster), lengthBytes(length + bytes), ...inner])
}
