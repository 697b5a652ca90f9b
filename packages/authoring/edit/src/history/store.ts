import { link, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAs } from '@vid/protocol'
import { digestOf } from '@vid/system'
import { type EditEntry, EditEntrySchema } from '../events.ts'
import { copyNewFile, writeNewFile, writeRecord } from './durable-file.ts'
import { type Head, HeadSchema } from './records.ts'

/** Most entries of a history, and most bytes of contents that it keeps. */
export interface HistoryLimits {
  readonly entries: number
  readonly bytes: number
}

const LIMITS: HistoryLimits = { entries: 200, bytes: 64 * 1024 * 1024 }

/** The text of a record; empty where there is none. */
const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

const entryPath = (folder: string, id: number) => join(folder, 'entries', `${String(id).padStart(8, '0')}.json`)

/** Where a content is kept, by its digest. */
export const blobPath = (folder: string, digest: string): string => join(folder, 'blobs', digest)

/** Which entries are in effect; an empty history where none was written. */
export const readHead = async (folder: string): Promise<Head> =>
  parseAs(HeadSchema, await textOf(join(folder, 'head.json'))) ?? { done: [], undone: [], next: 1 }

/** An entry by its number; undefined when it was dropped. */
export const readEntry = async (folder: string, id: number): Promise<EditEntry | undefined> =>
  parseAs(EditEntrySchema, await textOf(entryPath(folder, id)))

/** Every entry, the newest first. */
export const readEditEntries = async (folder: string): Promise<readonly EditEntry[]> => {
  const names = await readdir(join(folder, 'entries')).catch(() => [])
  const ids = names.flatMap((name) => (/^\d{8}\.json$/.test(name) ? Number.parseInt(name, 10) : []))
  const entries = await Promise.all(ids.sort((a, b) => b - a).map((id) => readEntry(folder, id)))
  return entries.filter((entry) => entry !== undefined)
}

/** Writes an entry, and which are in effect. */
export const writeEntry = async (folder: string, entry: EditEntry, head: Head): Promise<void> => {
  await writeRecord(entryPath(folder, entry.id), entry)
  await writeRecord(join(folder, 'head.json'), head)
}

/** A content by its digest; undefined when it was dropped, or is another one. */
export const readBlob = async (folder: string, digest: string): Promise<Uint8Array | undefined> => {
  const bytes = await readFile(blobPath(folder, digest)).catch(() => undefined)
  return bytes && digestOf(bytes) === digest ? bytes : undefined
}

/** Keeps a content. */
export const writeBlob = async (folder: string, bytes: Uint8Array): Promise<void> => {
  const path = blobPath(folder, digestOf(bytes))
  if ((await readBlob(folder, digestOf(bytes))) !== undefined) return
  await rm(path, { force: true })
  await writeNewFile(path, bytes)
}

/** Keeps the content of a file, without reading it where the system can give it a second name. */
export const keepFile = async (folder: string, path: string, digest: string): Promise<void> => {
  const blob = blobPath(folder, digest)
  if (await stat(blob).catch(() => undefined)) return
  await link(path, blob).catch(() => copyNewFile(path, blob))
}

/** Drops the oldest entries over the limits, and contents that no entry needs. */
export const trimHistory = async (folder: string, limits: HistoryLimits = LIMITS): Promise<void> => {
  const entries = [...(await readEditEntries(folder))].reverse()
  const names = await readdir(join(folder, 'blobs')).catch(() => [])
  const sizes = new Map(
    await Promise.all(
      names.map(
        async (name) => [name, (await stat(blobPath(folder, name)).catch(() => undefined))?.size ?? 0] as const,
      ),
    ),
  )
  const digestsOf = (kept: readonly EditEntry[]) =>
    new Set(kept.flatMap(({ files }) => files.flatMap(({ before, after }) => [before, after])))
  const bytesOf = (kept: readonly EditEntry[]) =>
    [...digestsOf(kept)].reduce((sum, digest) => sum + (sizes.get(digest ?? '') ?? 0), 0)
  let first = Math.max(0, entries.length - limits.entries)
  // The newest entry stays, however large it is: it can be undone.
  while (first < entries.length - 1 && bytesOf(entries.slice(first)) > limits.bytes) first += 1
  const needed = digestsOf(entries.slice(first))
  for (const { id } of entries.slice(0, first)) await rm(entryPath(folder, id), { force: true })
  for (const name of names) if (!needed.has(name)) await rm(blobPath(folder, name), { force: true })
}
