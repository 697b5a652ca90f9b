import { digestOf } from '@vid/system'
import { fail } from '../errors.ts'

const MARK = '\uFEFF'

/** A text file as it is on the disk. */
export interface SourceText {
  /** Without a byte order mark. */
  readonly text: string
  readonly hasMark: boolean
  /** SHA-256 (hex) of its bytes. */
  readonly digest: string
}

/** Decodes a file; VID_EDIT_ENCODING where its bytes could not be written again as they are. */
export const readSourceText = (file: string, bytes: Uint8Array): SourceText => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const hasMark = text.startsWith(MARK)
    return { text: hasMark ? text.slice(1) : text, hasMark, digest: digestOf(bytes) }
  } catch (cause) {
    throw fail('VID_EDIT_ENCODING', { file }, { cause })
  }
}

/** The bytes of a text, with the byte order mark that its file has. */
export const bytesOfText = ({ text, hasMark }: Pick<SourceText, 'text' | 'hasMark'>): Uint8Array =>
  new TextEncoder().encode(hasMark ? MARK + text : text)

/** The line end that a text uses. */
export const lineEndOf = (text: string): '\r\n' | '\n' => (/\r\n/.test(text) ? '\r\n' : '\n')
