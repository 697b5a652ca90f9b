/** How the characters of a text file are written. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** The text of a file, without its byte order mark, and how it was written. */
export interface DecodedText {
  readonly text: string
  readonly encoding: TextEncoding
}

const MARKS: readonly (readonly [encoding: TextEncoding, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Bytes in which the zeros of UTF-16 are looked for. */
const SAMPLE = 4096

/** UTF-16 without a mark: digits, marks and the letters of many languages have a zero in every second byte. */
const unmarkedUtf16 = (bytes: Uint8Array): TextEncoding | undefined => {
  const sample = bytes.subarray(0, SAMPLE)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const many = sample.length / 8
  if (odd > many && even < odd / 4) return 'utf-16le'
  return even > many && odd < even / 4 ? 'utf-16be' : undefined
}

/** Bytes that Windows-1252 leaves out. */
const LEFT_OUT: ReadonlySet<number> = new Set([0, 0x81, 0x8d, 0x8f, 0x90, 0x9d])

/**
 * Whether bytes can be a text of Windows-1252: its languages have letters with marks between others. Several in a row are
 * another script.
 */
const isWestern = (bytes: Uint8Array): boolean => {
  let letters = 0
  let characters = 0
  for (const byte of bytes) {
    if (LEFT_OUT.has(byte)) return false
    letters = byte >= 0xc0 ? letters + 1 : 0
    characters = byte >= 0x80 ? characters + 1 : 0
    if (letters > 2 || characters > 3) return false
  }
  return true
}

/** The characters of Windows-1252 from 0x80 on that are others than those of Unicode: some decoders have none for them. */
const MARKS_OF_WESTERN = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const decodeWestern = (bytes: Uint8Array): string =>
  new TextDecoder('latin1')
    .decode(bytes)
    .replace(/[\u0080-\u009f]/g, (character) => MARKS_OF_WESTERN[character.charCodeAt(0) - 0x80] ?? character)

const decoded = (bytes: Uint8Array, encoding: TextEncoding): DecodedText | undefined => {
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding }
  } catch {
    return undefined
  }
}

/** Decodes a text file; undefined for one whose characters would have to be guessed. */
export const decodeText = (bytes: Uint8Array): DecodedText | undefined => {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0]
  const encoding = marked ?? unmarkedUtf16(bytes) ?? 'utf-8'
  const text = decoded(bytes, encoding)
  if (text) return text
  if (encoding === 'utf-8' && isWestern(bytes)) return { text: decodeWestern(bytes), encoding: 'windows-1252' }
  return undefined
}
