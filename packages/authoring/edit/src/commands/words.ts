import { readTime } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { Target } from '../operations/operation.ts'
import type { EditSession } from '../session/session.ts'

const SECONDS = /^(?:\d{1,9}(?:\.\d+)?(?:s|ms)?|(?:\d{1,3}:)?\d{1,4}:\d{1,2}(?:\.\d+)?)$/

/** Seconds of a text such as `2s`, `500ms` or `1:30`; VID_EDIT_OPERATION for another. */
export const readSeconds = (text: string): number => {
  if (SECONDS.test(text)) return readTime(text, { fps: 1, duration: 0 })
  throw fail('VID_EDIT_OPERATION', { index: 0, problems: [`"${text}" is no time such as 2s, 1.5, 500ms or 1:30`] })
}

/** A time, or a distance such as `+0.5s` and `-0.5s`. */
export const readShift = (text: string): { readonly by: number } | { readonly to: number } => {
  if (text.startsWith('+')) return { by: readSeconds(text.slice(1)) }
  if (text.startsWith('-')) return { by: -readSeconds(text.slice(1)) }
  return { to: readSeconds(text) }
}

/** A number; VID_EDIT_OPERATION for another text. */
export const readNumberWord = (text: string, what: string): number => {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(value)) return value
  throw fail('VID_EDIT_OPERATION', { index: 0, problems: [`"${text}" is no ${what}`] })
}

/** The element that a word names: an id, `file.html#id`, `file.html:12`, or `file.html:html/body/div[2]`. */
export const readTarget = async (edit: EditSession, word: string): Promise<Target> => {
  if (word.includes('#')) return word
  const [, file, place] = /^(.+?):(\d+|html(?:\/.*)?|template(?:\/.*)?)$/.exec(word) ?? []
  if (file === undefined || place === undefined) return `#${word}`
  const digest = await edit.digest(file)
  if (digest === undefined) throw fail('VID_EDIT_NOT_FOUND', { target: word, near: [edit.entry] })
  return /^\d+$/.test(place) ? { file, line: Number(place), digest } : { file, path: place, digest }
}
