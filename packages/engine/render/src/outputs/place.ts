import { lstat, open, readlink, rm, stat } from 'node:fs/promises'
import { dirname, extname, join, sep } from 'node:path'
import { besidePath, foreignEntry, outputUnwritable, posterSuffixes } from '@vid/kernel'
import { scratchName } from '@vid/system'
import { fail } from '../errors.ts'
import { isSameFile, placeKey } from './identity.ts'
import { isEmptyOrOf } from './signatures.ts'

/** What an output may replace, and the files that its render reads. */
export interface PlaceRules {
  readonly format: string
  /** Extension with its dot; empty for a folder of images. */
  readonly extension: string
  /** Whether files that are no earlier result, and links, may be replaced. */
  readonly force: boolean
  /** Files that the render reads, which are never replaced. */
  readonly inputs: readonly string[]
  /** Absolute folder of the composition. */
  readonly projectDir: string
  /** Whether a delivery will write there, so that its folder must be writable. */
  readonly isWritten: boolean
}

/** The limits of common file systems, in bytes. */
const MAX_NAME = 255
const MAX_PATH = 4000

/** Names of what this process or another one reads and writes without a file behind it. */
const STREAMS = /^\/(dev\/(stdin|stdout|stderr|fd(\/|$)|null$|zero$|full$|tty)|proc(\/|$))/

const checkName = (path: string, shown: string): void => {
  const [longest = ''] = path.split(sep).sort((a, b) => Buffer.byteLength(b) - Buffer.byteLength(a))
  const [bytes, all] = [longest, path].map((text) => Buffer.byteLength(text)) as [number, number]
  if (bytes > MAX_NAME) throw fail('VID_OUTPUT_NAME', { path: shown, what: 'a name', bytes, maxBytes: MAX_NAME })
  if (all > MAX_PATH) throw fail('VID_OUTPUT_NAME', { path: shown, what: 'a path', bytes: all, maxBytes: MAX_PATH })
}

/** Refuses what is neither a file nor a folder, and a file where a folder is needed or the reverse. */
const checkKind = async (path: string, shown: string, { extension, format }: PlaceRules) => {
  const stats = await stat(path).catch(() => undefined)
  if (STREAMS.test(path) || (stats && !stats.isDirectory() && !stats.isFile()))
    throw fail('VID_OUTPUT_KIND', { path: shown, found: 'a device or a pipe', format })
  const isFolder = stats ? stats.isDirectory() : shown.endsWith('/') || undefined
  if (isFolder !== undefined && isFolder !== (extension === ''))
    throw fail('VID_OUTPUT_KIND', { path: shown, found: isFolder ? 'a folder' : 'a file', format })
}

/** Refuses to replace what a render reads, and what no render of this format has made. */
const checkContent = async (path: string, shown: string, rules: PlaceRules): Promise<void> => {
  const { extension, force, format, inputs } = rules
  const stats = await lstat(path).catch(() => undefined)
  if (!stats) return
  for (const input of inputs) if (await isSameFile(input, path)) throw fail('VID_OUTPUT_INPUT', { path: shown })
  const exists = (what: string) => fail('VID_OUTPUT_EXISTS', { path: shown, found: what, format })
  if (stats.isSymbolicLink()) {
    if (!force) throw exists(`a link to ${await readlink(path)}`)
    return
  }
  const foreign = stats.isDirectory() ? await foreignEntry(path) : undefined
  if (foreign !== undefined) throw fail('VID_OUTPUT_FOREIGN', { path: shown, foreign })
  if (force || !stats.isFile() || extname(path).toLowerCase() === extension) return
  if (!(await isEmptyOrOf(path, format).catch(() => false))) throw exists('a file of another kind')
}

/** The nearest folder above a path that exists. */
const existingAbove = async (path: string): Promise<string> => {
  const above = dirname(path)
  const isThere = above === path || (await lstat(above).catch(() => undefined)) !== undefined
  return isThere ? above : existingAbove(above)
}

/** Refuses a folder that the result could not be moved into, before the work and not after it. */
const checkWritable = async (path: string): Promise<void> => {
  const folder = await existingAbove(path)
  try {
    const facts = await stat(folder)
    if (!facts.isDirectory()) throw new Error(`${folder} is not a folder`)
    // Permissions do not tell of a read-only disk, or of folders that only the system fills.
    const probe = join(folder, `${scratchName('.vid-')}.new`)
    await (await open(probe, 'wx')).close()
    await rm(probe)
  } catch (cause) {
    throw outputUnwritable(path, cause)
  }
}

/**
 * Refuses, before any work, a path where a result cannot be or would destroy something; `shown` is as the user wrote
 * it.
 */
export const checkPlace = async (path: string, shown: string, rules: PlaceRules): Promise<void> => {
  checkName(path, shown)
  await checkKind(path, shown, rules)
  const store = await placeKey(join(rules.projectDir, '.vid'))
  if (`${await placeKey(path)}${sep}`.startsWith(`${store}${sep}`)) throw fail('VID_OUTPUT_RESERVED', { path: shown })
  await checkContent(path, shown, rules)
  if (rules.isWritten) await checkWritable(path)
}

/** Refuses paths beside a video where no poster can be, or where it would destroy something. */
export const checkPosterPaths = async (
  video: string,
  rules: Omit<PlaceRules, 'format' | 'extension'>,
): Promise<void> => {
  for (const { suffix, format } of posterSuffixes) {
    const path = besidePath(video, suffix)
    await checkPlace(path, path, { ...rules, format, extension: `.${format}` })
  }
}
