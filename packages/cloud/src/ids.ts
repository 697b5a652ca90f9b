import { randomBytes } from 'node:crypto'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** So many random letters and digits, each of 62. */
export const randomText = (length: number): string => {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += LETTERS[byte % 62]
  return text
}

/** Kinds of things that have ids. */
export type IdKind = 'asset' | 'render' | 'upload' | 'user' | 'key' | 'pub' | 'hook' | 'worker'

/** A new id: 22 characters hold 131 bits. */
export const newId = (kind: IdKind): string => `${kind}_${randomText(22)}`
