import { findAudioFrames } from './audio-frames.ts'

/** A container that may be read: its name, how its files begin, and ffmpeg's demuxer for it, which opens no other file. */
interface Container {
  readonly name: string
  readonly demuxer: string
  /** Whether it is a bare stream of pictures, which has no time stamps. */
  readonly isBare?: true
  /** Whether a file that begins with these bytes is one. */
  fits(head: Buffer): boolean
}

/** Finds texts of equal length at a place. */
const text =
  (offset: number, ...texts: readonly string[]) =>
  (head: Buffer): boolean =>
    texts.includes(head.toString('latin1', offset, offset + (texts[0]?.length ?? 0)))

/** Finds bytes at the beginning, by their hexadecimal digits; `?` fits any digit. */
const bytes = (pattern: string): ((head: Buffer) => boolean) => {
  const expression = new RegExp(`^${pattern.replaceAll(' ', '').replaceAll('?', '.')}`)
  return (head) => expression.test(head.toString('hex', 0, pattern.length))
}

const both = (one: Container['fits'], other: Container['fits']) => (head: Buffer) => one(head) && other(head)

const RIFF = text(0, 'RIFF', 'RIFX', 'RF64', 'BW64')
const PNG = bytes('89504e47 0d0a1a0a')

/** Atoms that a file of the QuickTime family begins with, its length before them. */
const ATOMS = ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot', 'uuid', 'junk', 'udta', 'pict']

/** Lengths of a transport stream's packets: as broadcast, with a time stamp before each, with a checksum after each. */
const PACKETS = [
  [0, 188],
  [4, 192],
  [0, 204],
] as const

const isTransportStream = (head: Buffer): boolean =>
  PACKETS.some(([first, step]) => [0, 1, 2].every((nth) => head[first + nth * step] === 0x47))

/** Bit streams of Dolby Digital Plus have a higher number than those of Dolby Digital. */
const MAX_AC3_ID = 10

/** Type of the first unit of a bare H.264 or HEVC stream, from the byte after its start code. */
const firstUnit = (head: Buffer): number | undefined => {
  const [, code] = /^(?:00)?000001(..)/.exec(head.toString('hex', 0, 5)) ?? []
  return code === undefined ? undefined : Number.parseInt(code, 16)
}

/** The containers that may be read. None can name another file, so a playlist is in none of them, whatever its name. */
const CONTAINERS: readonly Container[] = [
  { name: 'MP4 or QuickTime', demuxer: 'mov', fits: text(4, ...ATOMS) },
  { name: 'WebM or Matroska', demuxer: 'matroska', fits: bytes('1a45dfa3') },
  { name: 'WAV', demuxer: 'wav', fits: both(RIFF, text(8, 'WAVE')) },
  { name: 'AVI', demuxer: 'avi', fits: both(RIFF, text(8, 'AVI ', 'AVIX')) },
  { name: 'WebP', demuxer: 'webp_pipe', fits: both(RIFF, text(8, 'WEBP')) },
  { name: 'AIFF', demuxer: 'aiff', fits: both(text(0, 'FORM'), text(8, 'AIFF', 'AIFC')) },
  { name: 'Ogg', demuxer: 'ogg', fits: text(0, 'OggS') },
  { name: 'FLAC', demuxer: 'flac', fits: text(0, 'fLaC') },
  { name: 'Core Audio', demuxer: 'caf', fits: text(0, 'caff') },
  { name: 'AMR', demuxer: 'amr', fits: text(0, '#!AMR') },
  { name: 'AU', demuxer: 'au', fits: text(0, '.snd') },
  { name: 'Wave64', demuxer: 'w64', fits: bytes('72696666 2e91cf11') },
  { name: 'WavPack', demuxer: 'wv', fits: text(0, 'wvpk') },
  { name: 'True Audio', demuxer: 'tta', fits: text(0, 'TTA1') },
  { name: "Monkey's Audio", demuxer: 'ape', fits: text(0, 'MAC ') },
  { name: 'GIF', demuxer: 'gif', fits: text(0, 'GIF8') },
  { name: 'APNG', demuxer: 'apng', fits: both(PNG, (head) => head.includes('acTL', 33, 'latin1')) },
  { name: 'PNG', demuxer: 'png_pipe', fits: PNG },
  { name: 'JPEG', demuxer: 'jpeg_pipe', isBare: true, fits: bytes('ffd8ff') },
  { name: 'BMP', demuxer: 'bmp_pipe', fits: text(0, 'BM') },
  { name: 'TIFF', demuxer: 'tiff_pipe', fits: text(0, 'II*\0', 'MM\0*') },
  { name: 'Flash Video', demuxer: 'flv', fits: text(0, 'FLV') },
  { name: 'Windows Media', demuxer: 'asf', fits: bytes('3026b275 8e66cf11') },
  { name: 'MXF', demuxer: 'mxf', fits: bytes('060e2b34 0205 0101') },
  { name: 'IVF', demuxer: 'ivf', fits: text(0, 'DKIF') },
  { name: 'YUV4MPEG', demuxer: 'yuv4mpegpipe', fits: text(0, 'YUV4MPEG2 ') },
  { name: 'MPEG program stream', demuxer: 'mpeg', fits: bytes('000001ba') },
  { name: 'MPEG video', demuxer: 'mpegvideo', isBare: true, fits: bytes('000001b3') },
  { name: 'H.264', demuxer: 'h264', isBare: true, fits: (head) => [7, 9].includes((firstUnit(head) ?? 0) & 0x9f) },
  { name: 'HEVC', demuxer: 'hevc', isBare: true, fits: (head) => [0x40, 0x46].includes(firstUnit(head) ?? 0) },
  { name: 'DTS', demuxer: 'dts', fits: bytes('7ffe8001') },
  {
    name: 'Dolby Digital',
    demuxer: 'ac3',
    fits: both(bytes('0b77'), (head) => (head[5] ?? 0) >> 3 <= MAX_AC3_ID),
  },
  { name: 'Dolby Digital Plus', demuxer: 'eac3', fits: bytes('0b77') },
  { name: 'MPEG transport stream', demuxer: 'mpegts', fits: isTransportStream },
  { name: 'MP3', demuxer: 'mp3', fits: (head) => findAudioFrames(head) === 'mp3' },
  { name: 'AAC', demuxer: 'aac', fits: (head) => findAudioFrames(head) === 'aac' },
]

/** Names of ffmpeg's demuxers that may read a file: each reads that file and no other. */
export const DEMUXERS: readonly string[] = CONTAINERS.map(({ demuxer }) => demuxer)

/** Whether a demuxer, by ffmpeg's name, reads bare streams of pictures, which have no time stamps. */
export const readsBare = (demuxer: string): boolean =>
  CONTAINERS.some((container) => container.demuxer === demuxer && container.isBare)

/** Bytes that a tag of ID3v2 takes before the sound itself; 0 without one. */
export const tagBytes = (head: Buffer): number => {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0
  // Seven bits of each byte count.
  const size = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
  return 10 + size
}

/** ffmpeg's demuxer for a file that begins with these bytes, any ID3 tag left out; undefined for an unknown container. */
export const demuxerOf = (head: Buffer): string | undefined => CONTAINERS.find(({ fits }) => fits(head))?.demuxer
