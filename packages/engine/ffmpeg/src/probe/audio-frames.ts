/** Kilobits per second of MPEG audio by the index in a frame's header: MPEG-1 by layer, then MPEG-2 by layer. */
const BITRATES: readonly (readonly number[])[] = [
  [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
]

const SAMPLE_RATES = [44_100, 48_000, 32_000]

/** Length of the MPEG audio frame whose header is at `at`; undefined without one, 0 when the header does not say. */
const mpegBytes = (bytes: Buffer, offset: number): number | undefined => {
  const [, version = 0, rates = 0] = bytes.subarray(offset, offset + 3)
  const isMpeg1 = (version & 0x18) === 0x18
  const layer = 4 - ((version >> 1) & 3)
  const sampleRate = SAMPLE_RATES[(rates >> 2) & 3]
  const bitrate = BITRATES[isMpeg1 ? layer - 1 : layer === 1 ? 3 : 4]?.[rates >> 4]
  // Version 1 is reserved, as layer 4 and the last indexes are.
  if ((version & 0x18) === 0x08 || layer === 4 || sampleRate === undefined || bitrate === undefined) return undefined
  const hertz = sampleRate / (isMpeg1 ? 1 : (version & 0x18) === 0x10 ? 2 : 4)
  const padding = (rates >> 1) & 1
  if (bitrate === 0) return 0
  if (layer === 1) return (Math.floor((12_000 * bitrate) / hertz) + padding) * 4
  const samples = layer === 3 && !isMpeg1 ? 72_000 : 144_000
  return Math.floor((samples * bitrate) / hertz) + padding
}

/** Length of the AAC frame with an ADTS header at `at`; undefined without one. */
const adtsBytes = (bytes: Buffer, offset: number): number | undefined => {
  const length = (bytes.readUIntBE(offset + 3, 3) >> 5) & 0x1fff
  return length < 7 ? undefined : length
}

/** Whether frames follow each other from `at` on; those that a header gives no length for count when they come first. */
const isChain = (bytes: Buffer, offset: number): boolean => {
  const first = bytes.readUInt16BE(offset)
  const lengthAt = (first & 0xfff6) === 0xfff0 ? adtsBytes : mpegBytes
  let next = offset
  for (let frames = 0; frames < 3; frames++) {
    // The file ends within these frames, or what was read of it does.
    if (next + 6 > bytes.length) return frames > 0
    // All frames agree on the version and the layer.
    if (((bytes.readUInt16BE(next) ^ first) & 0xfffe) !== 0) return false
    const length = lengthAt(bytes, next)
    if (length === undefined) return false
    if (length === 0) return offset === 0
    next += length
  }
  return true
}

/** Whether bytes hold bare frames of compressed sound, possibly after something else; undefined when they hold none. */
export const findAudioFrames = (bytes: Buffer): 'mp3' | 'aac' | undefined => {
  for (
    let offset = bytes.indexOf(0xff);
    offset >= 0 && offset + 6 <= bytes.length;
    offset = bytes.indexOf(0xff, offset + 1)
  ) {
    const sync = bytes.readUInt16BE(offset)
    if ((sync & 0xffe0) !== 0xffe0 || !isChain(bytes, offset)) continue
    return (sync & 0xfff6) === 0xfff0 ? 'aac' : 'mp3'
  }
  return undefined
}
