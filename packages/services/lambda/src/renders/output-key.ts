import { FILE_FORMATS, isFolderFormat } from '../contract/formats.ts'
import { OUTPUTS, prefixes } from '../contract/object-keys.ts'

const MAX_BYTES = 900

/** Default key of a result; for a folder, the prefix of its files. */
export const defaultOutputKey = (renderId: string, format: string): string =>
  `${OUTPUTS}${renderId}${isFolderFormat(format) ? '' : `.${format}`}`

/** Why a key is not allowed for a result; undefined if it is. */
export const outputKeyProblem = (key: unknown, format: string): string | undefined => {
  if (typeof key !== 'string' || key === '') return 'it must be text, such as videos/intro.mp4'
  const [strange] = /[^A-Za-z0-9!_.*'()/-]/u.exec(key) ?? []
  if (strange !== undefined)
    return `${JSON.stringify(strange)} is not allowed in it; letters, digits, ! - _ . * ' ( ) and slashes are`
  const parts = key.split('/')
  if (parts.includes('')) return 'it starts or ends with a slash, or has two in a row'
  if (parts.some((part) => part === '.' || part === '..')) return 'a part of it is "." or ".."'
  if (key.length > MAX_BYTES) return `it is longer than ${MAX_BYTES} bytes`
  const reserved = Object.values(prefixes).find((prefix) => `${parts[0]}/` === prefix)
  if (reserved !== undefined) return `it is in ${reserved}, which is reserved`
  const suffix = /\.([^./]+)$/.exec(key)?.[1]?.toLowerCase() ?? ''
  if (FILE_FORMATS.includes(suffix) && suffix !== format) return `it ends with .${suffix}, but the format is ${format}`
  return undefined
}
