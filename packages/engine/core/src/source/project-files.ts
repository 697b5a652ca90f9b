import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { rethrowMachineFault } from '@vid/protocol'
import { findProjectFile } from '@vid/system'
import { fail } from '../errors.ts'
import type { ProjectFiles } from './project-references.ts'
import { MAX_TEXT } from './text-limit.ts'

/** Reads a file of a project; null when it is missing, not readable, hidden, or outside the project. */
export const readInside = async (
  dir: string,
  file: string,
  signal: AbortSignal | undefined,
): Promise<string | null> => {
  signal?.throwIfAborted()
  const path = await findProjectFile(dir, file)
  if (path === undefined) return null
  const bytes = (await stat(path).catch(rethrowMachineFault))?.size ?? 0
  if (bytes > MAX_TEXT) throw fail('VID_TEXT_TOO_LARGE', { file, bytes, maxBytes: MAX_TEXT })
  const content = await readFile(path, signal === undefined ? {} : { signal }).catch(rethrowMachineFault)
  signal?.throwIfAborted()
  return content === undefined ? null : new TextDecoder().decode(content)
}

/** How the texts of a project are read. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined
  /** The text that stands for a file of the project, such as a staged one; undefined for what the disk has. */
  readonly textOf?: ((file: string) => string | undefined) | undefined
  /** Shape that the entry is laid out for, such as `9:16`; as it is written if left out. */
  readonly shape?: string | undefined
}

/** The files of a project folder, given with its links resolved. */
export const filesOf = (
  dir: string,
  signal: AbortSignal | undefined,
  textOf?: ReadOptions['textOf'],
): ProjectFiles => ({
  readText: async (file) => textOf?.(file) ?? (await readInside(dir, file, signal)),
  has: (file) => textOf?.(file) !== undefined || existsSync(join(dir, file)),
})
