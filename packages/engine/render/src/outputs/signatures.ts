import { open } from 'node:fs/promises'

const isBox = (head: Buffer) => head.toString('latin1', 4, 8) === 'ftyp'

/** The first bytes of the files of a format. */
const SIGNATURES: Readonly<Record<string, (head: Buffer) => boolean>> = {
  mp4: isBox,
  mov: isBox,
  webm: (head) => head.readUInt32BE(0) === 0x1a45dfa3,
  gif: (head) => head.toString('latin1', 0, 4) === 'GIF8',
  png: (head) => head.readUInt32BE(0) === 0x89504e47,
}

/** Bytes of a file that a signature is looked for in. */
const HEAD_BYTES = 12

/** Whether a regular file is of a format by its first bytes, or empty, so that nothing is lost with it. */
export const isEmptyOrOf = async (path: string, format: string): Promise<boolean> => {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return bytesRead === 0 || (bytesRead === HEAD_BYTES && SIGNATURES[format]?.(buffer) === true)
  } finally {
    await file.close()
  }
}

/** Extensions that name something else than what any encoder of vid makes. */
const OTHER_KINDS = new Set(
  [
    'avi mkv flv f4v wmv asf mpg mpeg m2v m2ts mts ts vob 3gp 3g2 ogv ogg mxf rm rmvb swf y4m ivf h264 h265 hevc av1',
    'png jpg jpeg jxl webp avif heic apng bmp tif tiff svg exr',
    'mp3 wav m4a aac flac opus',
    'html htm css js json pdf zip',
  ].flatMap((line) => line.split(' ')),
)

/** Whether an extension, without its dot, is known to name another kind of file than a video of vid. */
export const namesOtherKind = (extension: string): boolean => OTHER_KINDS.has(extension)
