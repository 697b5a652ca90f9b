import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { rethrowMachineFault } from '@vid/kernel'
import { findProjectFile } from '@vid/system'
import type { ProjectFiles } from './project-references.ts'

/** Whether a path is inside a folder; both are absolute. */
export const isInside = (dir: string, path: string): boolean => {
  const steps = relative(dir, path)
  return steps !== '' && steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)
}

/** Reads a file of a project; null when it is missing, not readable, hidden, or outside the project. */
export const readInside = async (
  dir: string,
  file: string,
  signal: AbortSignal | undefined,
): Promise<string | null> => {
  signal?.throwIfAborted()
  const path = await findProjectFile(dir, file)
  if (path === undefined) return null
  const bytes = await readFile(path, signal === undefined ? {} : { signal }).catch(rethrowMachineFault)
  signal?.throwIfAborted()
  return bytes === undefined ? null : new TextDecoder().decode(bytes)
}

/** The files of a project folder, given with its links resolved. */
export const filesOf = (dir: string, signal: AbortSignal | undefined): ProjectFiles => ({
  readText: (file) => readInside(dir, file, signal),
  has: (file) => existsSync(join(dir, file)),
})
