import { type Entry, getFileNameLowLevel } from 'yauzl'

const UTF8_FLAG = 0x800
const UNICODE_PATH_FIELD = 0x7075

const readUtf8 = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * The name of an entry; undefined when it is not the UTF-8 that it says it is. A name that says nothing is UTF-8 if it
 * can be, as macOS writes them, and else in the characters of DOS (cp437).
 */
export const entryName = (entry: Entry): string | undefined => {
  const { generalPurposeBitFlag: flags, fileNameRaw, extraFields } = entry
  if (flags & UTF8_FLAG) return readUtf8(fileNameRaw)
  const hasUnicodePath = extraFields.some(({ id }) => id === UNICODE_PATH_FIELD)
  const utf8 = hasUnicodePath ? undefined : readUtf8(fileNameRaw)
  return utf8 ?? getFileNameLowLevel(flags, fileNameRaw, extraFields, true)
}
