import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename, extname, posix } from 'node:path'
import { nameProblem } from '@vid/project'
import { describeCause } from '@vid/protocol'
import { digestFile, findProjectFile, listFiles, resolveProjectPath } from '@vid/system'
import { fail } from '../errors.ts'
import type { Plan } from '../patch/plan.ts'
import type { OperationContext } from './context.ts'

/** Where imported media is put. */
const FOLDER = 'assets'

/** A reference from one file of a project to another. */
export const referenceFrom = (from: string, file: string): string =>
  posix
    .relative(posix.dirname(from), file)
    .split('/')
    .map(encodeURIComponent)
    .join('/')
    .replaceAll('%20', ' ')
    .replaceAll(' ', '%20')

/** The size of a file to import; VID_EDIT_PATH where it is none. */
const sizeOf = async (path: string): Promise<number> => {
  // A pipe or a device must neither be waited for nor copied.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((cause: unknown) => {
    throw fail('VID_EDIT_PATH', { path, reason: `cannot be read: ${describeCause(cause)}` }, { cause })
  })
  try {
    const facts = await handle.stat()
    if (!facts.isFile()) throw fail('VID_EDIT_PATH', { path, reason: 'is no regular file' })
    return facts.size
  } finally {
    await handle.close()
  }
}

/** What is imported. */
interface Original {
  readonly name: string
  readonly bytes: number
  readonly digest: string
}

/** The path in the project of a file with the same content, on the disk or staged; undefined without one. */
const findTwin = async (
  { dir, sources, signal }: OperationContext,
  { name, bytes, digest }: Original,
): Promise<string | undefined> => {
  for (const [file, copy] of sources.copies) if (copy.digest === digest) return file
  const ending = extname(name).replaceAll(/[^\w.]/g, '\\$&')
  for (const file of await listFiles(dir, new RegExp(`${ending}$`, 'i'))) {
    const path = nameProblem(file) === null ? await findProjectFile(dir, file) : undefined
    if (path === undefined || (await stat(path)).size !== bytes) continue
    if ((await digestFile(path, signal)) === digest) return file
  }
  return undefined
}

/** A path in the folder of imported media that no file has. */
const freePlace = async ({ dir, sources }: OperationContext, name: string): Promise<string> => {
  const folder = await resolveProjectPath(dir, FOLDER)
  if ('refusal' in folder && folder.refusal !== 'missing')
    throw fail('VID_EDIT_PATH', { path: FOLDER, reason: 'is not a folder of the project' })
  const extension = extname(name)
  const stem = basename(name, extension)
  for (let number = 1; ; number += 1) {
    const file = `${FOLDER}/${stem}${number === 1 ? '' : `-${number}`}${extension}`
    if (!sources.files.has(file)) return file
  }
}

/**
 * The path in the project of a file from elsewhere: that of a file with the same content, else a free one, to which the
 * plan copies it.
 */
export const importFile = async (plan: Plan, context: OperationContext, path: string): Promise<string> => {
  const name = basename(path)
  const problem = name.startsWith('.') ? 'is hidden' : nameProblem(`${FOLDER}/${name}`)
  if (problem) throw fail('VID_EDIT_PATH', { path, reason: problem })
  const bytes = await sizeOf(path)
  const digest = await digestFile(path, context.signal)
  const twin = await findTwin(context, { name, bytes, digest })
  if (twin !== undefined) return twin
  const file = await freePlace(context, name)
  plan.copies.set(file, { from: path, digest, bytes })
  plan.follows.push({ file, line: 1, text: `${name} is copied into the project.` })
  return file
}
