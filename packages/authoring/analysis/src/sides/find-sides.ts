import { stat } from 'node:fs/promises'
import { basename, relative, resolve } from 'node:path'
import { fail } from '../errors.ts'
import { findCommit, takeCommit } from './git.ts'
import type { Side } from './side.ts'

/** Where the sides of a comparison are looked for. */
export interface SidePlace {
  readonly cwd: string
  /** Folder for what is taken out of git. */
  readonly scratch: string
  readonly signal: AbortSignal
}

const pathSide = async (text: string, { cwd }: SidePlace): Promise<Side | undefined> => {
  const path = resolve(cwd, text)
  const facts = await stat(path).catch(() => undefined)
  if (facts?.isDirectory()) return { kind: 'composition', label: text, projectDir: path }
  return facts?.isFile() ? { kind: 'video', label: text, file: path } : undefined
}

/** A folder as it is in a revision. */
const revisionSide = async (revision: string, folder: string, place: SidePlace): Promise<Side> => {
  const git = { folder, signal: place.signal }
  const commit = await findCommit(git, revision)
  const projectDir = await takeCommit(git, commit, place.scratch)
  const name = relative(place.cwd, folder) || basename(folder)
  return { kind: 'composition', label: `${name} at ${revision}`, projectDir, copyOf: folder }
}

const folderOf = async (text: string, place: SidePlace): Promise<string> => {
  const side = await pathSide(text, place)
  if (side?.kind === 'composition') return side.projectDir
  throw fail('VID_DIFF_SIDE', { side: text })
}

/**
 * The two sides that words name: folders, videos, or revisions. One revision is compared with the folder as it is now, a
 * folder alone with its last commit, and `v1..v2` are two revisions of the folder that follows.
 */
export const findSides = async (
  one: string,
  other: string | undefined,
  place: SidePlace,
): Promise<readonly [Side, Side]> => {
  const first = await pathSide(one, place)
  if (first) {
    if (other === undefined && first.kind === 'composition')
      return [await revisionSide('HEAD', first.projectDir, place), first]
    const second = other === undefined ? undefined : await pathSide(other, place)
    if (!second) throw fail('VID_DIFF_SIDE', { side: other ?? '' })
    if (second.kind !== first.kind) throw fail('VID_DIFF_KINDS', { one, other: other ?? '' })
    return [first, second]
  }
  const folder = await folderOf(other ?? '.', place)
  const [from = '', until] = one.split('..')
  const before = await revisionSide(from || 'HEAD', folder, place)
  if (until !== undefined) return [before, await revisionSide(until || 'HEAD', folder, place)]
  return [before, { kind: 'composition', label: relative(place.cwd, folder) || '.', projectDir: folder }]
}
