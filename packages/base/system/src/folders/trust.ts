import type { Stats } from 'node:fs'
import { lstat, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const STICKY = 0o1000
const GROUP_WRITE = 0o020
const OTHERS_WRITE = 0o002

/** User ids that can change everything this user runs: this user, root, and the owner of the root folder. */
const trustedOwners = async (): Promise<readonly number[]> => {
  // In a container with its own user ids, the machine's root may have no id but that of nobody.
  const userId = process.getuid?.() ?? 0
  const system = await stat('/')
  return [userId, 0, system.uid]
}

/** A group of one user, as most Linux systems make one for each: what it may write, no other user may. */
const isPrivateGroup = ({ uid, gid }: Stats): boolean => gid === uid || gid === 0

/** Why others than its trusted owners can write to a file or folder. */
const writersOf = (path: string, facts: Stats): string | undefined => {
  // Entries of a sticky folder can be replaced by their owners only.
  if (facts.isDirectory() && (facts.mode & STICKY) !== 0) return undefined
  if ((facts.mode & OTHERS_WRITE) !== 0) return `every user may write to ${path}`
  if ((facts.mode & GROUP_WRITE) !== 0 && !isPrivateGroup(facts))
    return `every user of group ${facts.gid} may write to ${path}`
  return undefined
}

/** The folders above a path, the nearest first. */
const foldersAbove = (path: string): string[] => {
  const above = dirname(path)
  return above === path ? [] : [above, ...foldersAbove(above)]
}

/** Who else is trusted with a path. */
export interface TrustOptions {
  /** User ids that are trusted like this user. */
  readonly owners?: readonly number[]
}

/**
 * Why another user could change what is at a path, as the one to blame and what they may do; undefined where none could,
 * and on systems without user ids. Looked at are the file or folder itself and every folder above it, once links are
 * followed; a link's own owner counts too.
 */
export const distrust = async (path: string, { owners = [] }: TrustOptions = {}): Promise<string | undefined> => {
  if (process.getuid === undefined) return undefined
  const trusted = [...owners, ...(await trustedOwners())]
  const real = await realpath(path)
  const place = await realpath(dirname(path))
  const chain = new Set([real, ...foldersAbove(real), place, ...foldersAbove(place)])
  const link = await lstat(path)
  if (!trusted.includes(link.uid)) return `user ${link.uid} owns ${path}`
  for (const ancestor of chain) {
    const facts = await stat(ancestor)
    if (!trusted.includes(facts.uid)) return `user ${facts.uid} owns ${ancestor}`
    const writers = writersOf(ancestor, facts)
    if (writers !== undefined) return writers
  }
  return undefined
}

/**
 * Why a file in a folder that the user has named could be a stranger's: neither this user, root nor the folder's owner
 * owns it. Modes do not count, since folders that a container or virtual machine shares often have all rights.
 */
export const distrustNamed = async (file: string): Promise<string | undefined> => {
  if (process.getuid === undefined) return undefined
  const trusted = [...(await trustedOwners()), (await stat(dirname(file))).uid]
  const stranger = [await lstat(file), await stat(file)].find(({ uid }) => !trusted.includes(uid))
  return stranger && `user ${stranger.uid} owns ${file}`
}
