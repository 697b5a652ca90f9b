import { type DecodedText, decodeText } from '@vid/system'
import { fail } from '../errors.ts'

/** Decodes a file of captions; VID_CAPTIONS_ENCODING for one whose characters would have to be guessed. */
export const captionText = (file: string, bytes: Uint8Array): DecodedText => {
  const decoded = decodeText(bytes)
  if (decoded) return decoded
  throw fail('VID_CAPTIONS_ENCODING', { file })
}
