import { randomBytes } from 'node:crypto'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random letters and digits, each one of 62. */
export const randomText = (length: number): string => {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += LETTERS[byte % 62]
  return text
}

/** Kinds of objects with ids. */
export type IdKind = 'asset' | 'render' | 'upload' | 'user' | 'key' | 'pub' | 'hook' | 'worker'

const ID = /^[a-z]+_[A-Za-z0-9]{1,64}$/

/** Whether a text has the format of an id; the database does not accept every text as a value. */
export const isId = (text: string): boolean => ID.test(text)

/** A new id: 22 characters hold 131 bits. */
export const newId = (kind: IdKind): string => `${kind}_${randomText(22)}`
