import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

const BYTES = 1024

/** The first bytes of a project file; empty where it cannot be read. */
const readStart = (path: string): Buffer => {
  try {
    const file = openSync(path, 'r')
    try {
      const start = Buffer.alloc(BYTES)
      return start.subarray(0, readSync(file, start, 0, BYTES, 0))
    } finally {
      closeSync(file)
    }
  } catch {
    return Buffer.alloc(0) // Another rule reports what is missing or refused.
  }
}

/** Bytes that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these distinguish media from text.
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/

/** The beginning of a project file if it is text; undefined for media, and for a file that is empty or cannot be read. */
export const textStart = (dir: string, file: string): string | undefined => {
  const start = readStart(join(dir, file))
  try {
    // A character at the cut may be incomplete.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    return text.trim() === '' || BINARY.test(text) ? undefined : text.trimStart()
  } catch {
    return undefined
  }
}
