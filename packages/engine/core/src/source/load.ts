import { existsSync } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { describeCause, rethrowMachineFault } from '@vid/protocol'
import { isWithin, projectPathRefusal } from '@vid/system'
import { fail } from '../errors.ts'
import { compositionDigest } from './digest.ts'
import { parseEntryDocument } from './entry-document.ts'
import { type Composition, parseComposition } from './parse.ts'
import type { ReadOptions } from './project-files.ts'
import { declaredShapes, shapedText } from './shaped-text.ts'
import { MAX_TEXT } from './text-limit.ts'
import { labelOf, lineOf } from './tree.ts'

/** The text of an entry file. */
export interface EntryText {
  /** Relative to the project, with forward slashes. */
  readonly file: string
  readonly html: string
  /** SHA-256 (hex) of the file's bytes; in a shape, of the text. */
  readonly digest: string
}

/** A parsed entry file. */
export interface LoadedComposition extends Omit<EntryText, 'file'> {
  readonly composition: Composition
}

/** Folders of other compositions that an error names. */
const MAX_FOLDERS = 5

/** Resolves a project folder to its real path; VID_PROJECT_MISSING when it is not a folder. */
export const findProject = async (dir: string): Promise<string> => {
  const stats = await stat(dir).catch(rethrowMachineFault)
  if (stats?.isDirectory()) return realpath(dir)
  throw fail('VID_PROJECT_MISSING', { dir, found: stats === undefined ? 'nothing' : 'a file' })
}

const findEntry = async (dir: string, entry: string): Promise<string> => {
  const outside = () => fail('VID_ENTRY_OUTSIDE', { dir, entry })
  const isOutside = (path: string) => path === dir || !isWithin(path, dir)
  const target = resolve(dir, entry)
  if (isOutside(target)) throw outside()
  const path = await realpath(target).catch(rethrowMachineFault)
  if (path === undefined) {
    const names = (await readdir(dir)).filter((name) => !name.startsWith('.')).sort()
    const others = names.filter((name) => /\.html?$/i.test(name))
    const folders = names.filter((name) => existsSync(join(dir, name, entry))).slice(0, MAX_FOLDERS)
    throw fail('VID_ENTRY_MISSING', { dir, entry, others, folders })
  }
  if (isOutside(path)) throw outside()
  const entryPath = relative(dir, target).split(sep).join('/')
  const refusal = projectPathRefusal(dir, entryPath)
  if (refusal === 'hidden') throw fail('VID_ENTRY_HIDDEN', { entry })
  if (refusal === 'malformed') throw fail('VID_ENTRY_NAME', { entry })
  return path
}

const readEntry = async (path: string, entry: string, signal?: AbortSignal): Promise<Uint8Array> => {
  const stats = await stat(path)
  if (!stats.isFile()) throw fail('VID_ENTRY_UNREADABLE', { entry, reason: 'it is not a regular file' })
  if (stats.size > MAX_TEXT) throw fail('VID_ENTRY_TOO_LARGE', { entry, bytes: stats.size, maxBytes: MAX_TEXT })
  try {
    return await readFile(path, signal === undefined ? {} : { signal })
  } catch (cause) {
    signal?.throwIfAborted()
    throw fail('VID_ENTRY_UNREADABLE', { entry, reason: describeCause(cause) }, { cause })
  }
}

/** Reads the entry file of a project as text; it must be inside the folder after resolving links. */
export const readEntryText = async (
  projectDir: string,
  entry: string,
  options: ReadOptions = {},
): Promise<EntryText> => {
  const dir = await findProject(projectDir)
  const path = await findEntry(dir, entry)
  const file = relative(dir, resolve(dir, entry)).split(sep).join('/')
  const staged = options.textOf?.(file)
  const bytes = staged === undefined ? await readEntry(path, entry, options.signal) : new TextEncoder().encode(staged)
  const html = new TextDecoder().decode(bytes)
  if (html.trim() === '') throw fail('VID_ENTRY_EMPTY', { entry })
  if (html.includes('\0') || !/<[a-z!]/i.test(html)) throw fail('VID_ENTRY_NOT_HTML', { entry })
  if (options.shape === undefined) return { file, html, digest: compositionDigest(bytes) }
  const text = shapedText(html, { file, shape: options.shape })
  return { file, html: text, digest: compositionDigest(text) }
}

/** Reads and parses the entry file of a project. */
export const loadComposition = async (
  projectDir: string,
  entry: string,
  options: ReadOptions = {},
): Promise<LoadedComposition> => {
  const { file, html, digest } = await readEntryText(projectDir, entry, options)
  return { composition: parseComposition(html, { file }), html, digest }
}

/** The shapes that the root of a project's entry declares; none without a declaration. */
export const readDeclaredShapes = async (
  projectDir: string,
  entry: string,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const { file, html } = await readEntryText(projectDir, entry, { signal })
  const { root } = parseEntryDocument(html)
  return (root && declaredShapes(root, { element: labelOf(root), file, line: lineOf(root) })) ?? []
}
