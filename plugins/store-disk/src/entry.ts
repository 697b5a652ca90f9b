import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson, type SegmentJob, type Static, Type, Value } from '@vid/kernel'
import { digestText } from './digest.ts'
import { isOwnFile, placeText } from './folder.ts'

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' })

const EntrySchema = Type.Object({
  /** Equal for segments that the same frames make the same file of. */
  shape: Digest,
  /** Equal for segments whose inputs differ in nothing but the composition's text and files. */
  base: Digest,
  /** Equal for segments whose inputs differ in nothing but files. */
  key: Digest,
  /** The composition's text. */
  text: Digest,
  /** What the pages were drawn from; null when the engine does not say. */
  inputs: Type.Union([
    Type.Array(Type.Object({ source: Type.String(), digest: Type.Union([Type.String(), Type.Null()]) })),
    Type.Null(),
  ]),
  /** A digest for each frame; null when they are not compared. */
  frames: Type.Union([Type.Array(Type.String()), Type.Null()]),
  /** The files of each output: what follows the path of the job, and the content. */
  outputs: Type.Array(
    Type.Object({
      suffix: Type.String({ pattern: '^[\\w.-]*$' }),
      /** Null for a single file, else the names of the files in a folder. */
      names: Type.Union([Type.Array(Type.String({ pattern: '^[\\w][\\w.-]*$' })), Type.Null()]),
      digests: Type.Array(Digest),
    }),
    { minItems: 1 },
  ),
})

/** What is known of a kept segment. */
export type Entry = Static<typeof EntrySchema>

/** An entry and where it lies. */
export interface FoundEntry {
  readonly entry: Entry
  readonly path: string
}

/** Raised when the same inputs begin to give other bytes. */
const LAYOUT = 1

/** The names of a segment's inputs, from the widest to the narrowest. */
export const keysOf = ({ plan, index, start, frames }: SegmentJob): Pick<Entry, 'shape' | 'base' | 'key'> => {
  const { composition, variables, media, audio: _, capture, videoFrameFormat, ...encoding } = plan
  const shape = digestText(canonicalJson([LAYOUT, encoding, { index, start, frames }]))
  const { digest, ...identity } = composition
  const base = digestText(canonicalJson([shape, identity, variables, media, capture, videoFrameFormat]))
  return { shape, base, key: digestText(canonicalJson([base, digest])) }
}

/** Entries looked at most: an older one is less likely to fit, and each costs a read. */
const MOST_CANDIDATES = 12

const folderOf = (root: string, shape: string) => join(root, 'segments', shape.slice(0, 32))
const prefixOf = (key: string) => key.slice(0, 32)

const readEntry = async (path: string): Promise<Entry | undefined> => {
  const text = (await isOwnFile(path)) ? await readFile(path, 'utf8').catch(() => undefined) : undefined
  if (text === undefined) return undefined
  const digest = text.slice(0, 64)
  const body = text.slice(65)
  try {
    const entry: unknown = digestText(body) === digest ? JSON.parse(body) : undefined
    if (Value.Check(EntrySchema, entry)) return entry
  } catch {
    // Damaged, like one whose digest is wrong.
  }
  await rm(path, { force: true }).catch(() => {})
  return undefined
}

/** Marks kept files as used now. */
const touch = async (paths: readonly string[]): Promise<void> => {
  const now = new Date()
  await Promise.all(paths.map((path) => utimes(path, now, now).catch(() => {})))
}

/** Marks all that an entry needs as used now. */
export const touchEntry = (root: string, { entry, path }: FoundEntry): Promise<void> => {
  const digests = [entry.text, ...entry.outputs.flatMap((output) => output.digests)]
  return touch([path, ...digests.map((digest) => join(root, 'contents', digest))])
}

/** Entries of the same shape, those of the same key first, then by last use. */
export const findEntries = async (
  root: string,
  { shape, key }: Pick<Entry, 'shape' | 'key'>,
): Promise<FoundEntry[]> => {
  const folder = folderOf(root, shape)
  const names = await readdir(folder).catch(() => [])
  const dated = await Promise.all(
    names.map(async (name) => {
      const usedMs = await stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      )
      return { path: join(folder, name), isOwn: name.startsWith(prefixOf(key)), usedMs }
    }),
  )
  dated.sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || b.usedMs - a.usedMs)
  const found: FoundEntry[] = []
  for (const { path } of dated.slice(0, MOST_CANDIDATES)) {
    const entry = await readEntry(path)
    if (entry?.shape === shape) found.push({ path, entry })
  }
  return found
}

/** Writes an entry; those that were drawn from other files stay beside it. */
export const keepEntry = async (root: string, entry: Entry): Promise<void> => {
  const body = JSON.stringify(entry)
  const name = `${prefixOf(entry.key)}-${digestText(JSON.stringify(entry.inputs)).slice(0, 16)}`
  await placeText(root, join(folderOf(root, entry.shape), name), `${digestText(body)}\n${body}`)
}
