import { extname } from 'node:path'
import { nameProblem } from '@vid/project'

/** Bytes of a name without its ending: names on disks have at most 255. */
const MAX_BYTES = 120

/** Characters that some systems do not allow in names. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const UNFIT = /[\u0000-\u001f\u007f-\u009f<>:"|?*\\/%#]+/g

const shortened = (text: string): string => {
  const characters = [...text]
  while (Buffer.byteLength(characters.join('')) > MAX_BYTES) characters.pop()
  return characters.join('')
}

const withoutTail = (name: string): string => {
  let end = name.length
  while (end > 0 && /[.\s]/.test(name.charAt(end - 1))) end -= 1
  return name.slice(0, end)
}

/** The name that a file gets whose name comes from a page: one that every system allows, without folders. */
export const uploadName = (name: string): string => {
  const whole = Buffer.from(name).toString().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const last = withoutTail(whole)
  const ending = extname(last)
    .toLowerCase()
    .replaceAll(/[^.a-z0-9]/g, '')
  const letters = shortened(last.slice(0, last.length - extname(last).length).replaceAll(UNFIT, '-'))
  const stem = withoutTail(letters.replace(/^[.\s-]+/, ''))
  const candidate = `${stem || 'file'}${ending}`
  return nameProblem(candidate) === null ? candidate : `file-${candidate}`
}
