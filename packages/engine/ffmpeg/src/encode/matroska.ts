import { type FrameRate, secondsOf } from '@vid/protocol'

/** Ids of the Matroska elements in use. */
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
  codecPrivate: 0x63a2,
  defaultDuration: 0x23e383,
  video: 0xe0,
  interlaced: 0x9a,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  displayUnit: 0x54b2,
  colourSpace: 0x2eb524,
  colour: 0x55b0,
  matrix: 0x55b1,
  range: 0x55b9,
  transfer: 0x55ba,
  primaries: 0x55bb,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
} as const

const TRACK = 1
const PROGRESSIVE = 2
const UNKNOWN_UNIT = 4
const BT709 = 1
const LIMITED = 1
const KEY_FRAME = 0x80
/** Length of an element that lasts until the stream ends. */
const UNKNOWN_LENGTH = Buffer.from([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
/** Time unit; fine enough that every frame time is rounded to the right tick of any other container. */
const TICK_NS = 1000

const idBytes = (id: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(id)
  return bytes.subarray(bytes.findIndex((byte) => byte !== 0))
}

const numberBytes = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

const lengthBytes = (length: number): Buffer => {
  const bytes = numberBytes(length)
  bytes[0] = 0x01
  return bytes
}

const element = (id: number, content: number | string | readonly Buffer[]): Buffer => {
  const bytes =
    typeof content === 'number'
      ? numberBytes(content)
      : typeof content === 'string'
        ? Buffer.from(content, 'latin1')
        : Buffer.concat(content)
  return Buffer.concat([idBytes(id), lengthBytes(bytes.length), bytes])
}

/** A Windows BITMAPINFOHEADER: Matroska's only field for the bits per pixel, which say whether there is alpha. */
const bitmapHeader = ({ prores, depth }: { readonly prores: string; readonly depth: number }): Buffer => {
  const bytes = Buffer.alloc(40)
  bytes.writeUInt32LE(bytes.length, 0)
  bytes.writeUInt16LE(depth, 14)
  bytes.write(prores, 16, 'latin1')
  return bytes
}

/** A stream of pictures of one size, each with its time: the form in which ffmpeg reads timed pictures from a pipe. */
export interface PictureStream {
  readonly width: number
  readonly height: number
  readonly fps: FrameRate
  /** Raw pixels in a layout given by its FourCC, or limited-range bt709 ProRes of a profile given by its FourCC. */
  readonly pictures: { readonly raw: string } | { readonly prores: string; readonly depth: number }
}

/** Header of a stream. */
export const streamHead = ({ width, height, fps, pictures }: PictureStream): Buffer => {
  const codec =
    'raw' in pictures
      ? [element(ID.codecId, 'V_UNCOMPRESSED')]
      : [element(ID.codecId, 'V_MS/VFW/FOURCC'), element(ID.codecPrivate, [bitmapHeader(pictures)])]
  const colour = [
    element(ID.matrix, BT709),
    element(ID.range, LIMITED),
    element(ID.transfer, BT709),
    element(ID.primaries, BT709),
  ]
  const video = [
    element(ID.pixelWidth, width),
    element(ID.pixelHeight, height),
    // No pixel aspect ratio: encoders would write it into their output.
    element(ID.displayUnit, UNKNOWN_UNIT),
    ...('raw' in pictures
      ? [element(ID.colourSpace, pictures.raw)]
      : [element(ID.interlaced, PROGRESSIVE), element(ID.colour, colour)]),
  ]
  const track = [
    element(ID.trackNumber, TRACK),
    element(ID.trackUid, TRACK),
    element(ID.trackType, 1),
    // Without a language, the default is English.
    element(ID.language, 'und'),
    ...codec,
    element(ID.defaultDuration, Math.round(secondsOf(1e9, fps))),
    element(ID.video, video),
  ]
  const header = [element(ID.docType, 'matroska'), element(ID.docTypeVersion, 4), element(ID.docTypeReadVersion, 2)]
  return Buffer.concat([
    element(ID.header, header),
    idBytes(ID.segment),
    UNKNOWN_LENGTH,
    element(ID.info, [element(ID.timestampScale, TICK_NS)]),
    element(ID.tracks, [element(ID.trackEntry, track)]),
  ])
}

/** Header before the bytes of a picture; `index` counts from 0. */
export const pictureHead = (index: number, bytes: number, fps: FrameRate): Buffer => {
  const block = Buffer.from([0x80 | TRACK, 0, 0, KEY_FRAME])
  const inner = Buffer.concat([
    element(ID.timestamp, Math.round(secondsOf(index * (1e9 / TICK_NS), fps))),
    idBytes(ID.simpleBlock),
    lengthBytes(block.length + bytes),
    block,
  ])
  return Buffer.concat([idBytes(ID.cluster), lengthBytes(inner.length + bytes), inner])
}

/** Input options of ffmpeg for a stream on its stdin; the header says everything, so that no picture is probed. */
export const streamArgs: readonly string[] = [
  '-probesize',
  '32',
  '-analyzeduration',
  '0',
  '-fpsprobesize',
  '0',
  '-f',
  'matroska',
  '-i',
  'pipe:0',
]
