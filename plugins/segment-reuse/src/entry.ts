import {
  type Blobs,
  canonicalJson,
  parseAs,
  type SegmentJob,
  type Static,
  type StoredBlob,
  segmentShape,
  Type,
  WarningSchema,
} from '@vid/kernel'
import { digestOf } from '@vid/system'

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** Maximum number of warnings of a page that are kept. */
export const MAX_WARNINGS = 200

const WarningEntry = Type.Object({ ...WarningSchema.properties, group: Type.Optional(Type.String()) })

const EntrySchema = Type.Object({
  /** Equal for segments whose files are the same whenever their frames are. */
  shape: Digest,
  /** Equal for segments that differ at most in the composition's text and in files. */
  base: Digest,
  /** Equal for segments that differ at most in files. */
  key: Digest,
  /** The composition's text. */
  text: Digest,
  /** The files that the pages were drawn from; null if the engine does not report them. */
  inputs: Type.Union([
    Type.Array(Type.Object({ source: Type.String(), digest: Type.Union([Type.String(), Type.Null()]) })),
    Type.Null(),
  ]),
  /** A digest for each frame; null if frames are not compared. */
  frames: Type.Union([Type.Array(Type.String()), Type.Null()]),
  /** The files of each output: the suffix after the job's path, and the content. */
  outputs: Type.Array(
    Type.Object({
      suffix: Type.String({ pattern: '^[\\w.-]*$' }),
      /** Null for a single file, otherwise the names of the files in a folder. */
      names: Type.Union([Type.Array(Type.String({ pattern: '^[\\w][\\w.-]*$' })), Type.Null()]),
      digests: Type.Array(Digest),
    }),
    { minItems: 1 },
  ),
  /** Warnings of the page when the segment was captured; a render that reuses its files repeats them. */
  warnings: Type.Array(WarningEntry, { maxItems: MAX_WARNINGS }),
})

/** The record of a finished segment; its files and its composition are separate blobs. */
export type Entry = Static<typeof EntrySchema>

/** An entry with its key in the store. */
export interface KeyedEntry {
  readonly entry: Entry
  readonly key: string
}

/** The names of a segment's inputs, from the widest to the narrowest. */
export type SegmentKeys = Pick<Entry, 'shape' | 'base' | 'key'>

/** Limit on the entries read for one segment; older ones are less likely to match. */
const MAX_CANDIDATES = 12

/** Limit on listed entries: listing more would cost more than it saves. */
const MAX_LISTED = 2000

/** Largest entry in bytes; one with 240 frames and a thousand files takes a tenth of it. */
const MAX_ENTRY_BYTES = 2 ** 21

/** The inputs of a segment, as digests. */
export const keysOf = ({ plan, index, start, frames }: Omit<SegmentJob, 'path'>): SegmentKeys => {
  const { composition, variables, media, capture, videoFrameFormat } = plan
  const shape = segmentShape(plan, { index, start, frames })
  const { digest, ...identity } = composition
  const base = digestOf(canonicalJson([shape, identity, variables, media, capture, videoFrameFormat]))
  return { shape, base, key: digestOf(canonicalJson([base, digest])) }
}

const folderOf = (shape: string) => `segments/${shape.slice(0, 32)}/`
const nameOf = (key: string) => key.slice(0, 32)

/** The key of a blob that is stored by its digest. */
export const contentKey = (digest: string): string => `contents/${digest}`

/** Removes a damaged entry, which would otherwise be read each time. */
const readEntry = async (blobs: Blobs, key: string): Promise<Entry | undefined> => {
  const text = await blobs.read(key)
  if (text === undefined) return undefined
  const body = text.slice(65)
  const entry = digestOf(body) === text.slice(0, 64) ? parseAs(EntrySchema, body) : undefined
  if (entry) return entry
  await blobs.remove([key])
  return undefined
}

/** Lists blobs below a prefix, most recently used first; leaves out some if there are very many. */
const listUsed = async (blobs: Blobs, prefix: string): Promise<StoredBlob[]> => {
  const entries: StoredBlob[] = []
  for await (const entry of blobs.list(prefix)) {
    entries.push(entry)
    if (entries.length === MAX_LISTED) break
  }
  return entries.sort((a, b) => b.usedMs - a.usedMs)
}

/** Entries of the same shape: those of the same key first, then by last use. */
export const findEntries = async (
  blobs: Blobs,
  { shape, key }: Pick<SegmentKeys, 'shape' | 'key'>,
): Promise<KeyedEntry[]> => {
  const folder = folderOf(shape)
  const prefix = folder + nameOf(key)
  const isSameKey = (entry: { readonly key: string }) => entry.key.startsWith(prefix)
  const all = await listUsed(blobs, folder)
  const isPart = all.length === MAX_LISTED && !all.some(isSameKey)
  const blobEntries = [...(isPart ? await listUsed(blobs, prefix) : []), ...all]
    .filter(({ bytes }) => bytes <= MAX_ENTRY_BYTES)
    .toSorted((a, b) => Number(isSameKey(b)) - Number(isSameKey(a)))
    .slice(0, MAX_CANDIDATES)
  const entries = await Promise.all(blobEntries.map((entry) => readEntry(blobs, entry.key)))
  return entries.flatMap((entry, index) =>
    entry?.shape === shape ? [{ key: blobEntries[index]?.key ?? '', entry }] : [],
  )
}

/** Stores an entry, beside entries of the same text that were drawn from other files. */
export const keepEntry = async (blobs: Blobs, entry: Entry): Promise<void> => {
  const body = JSON.stringify(entry)
  const text = `${digestOf(body)}\n${body}`
  if (Buffer.byteLength(text) > MAX_ENTRY_BYTES) return
  const inputs = digestOf(JSON.stringify(entry.inputs)).slice(0, 16)
  await blobs.write(`${folderOf(entry.shape)}${nameOf(entry.key)}-${inputs}`, text)
}

/** Marks everything that an entry needs as used now. */
export const touchEntry = (blobs: Blobs, { entry, key }: KeyedEntry): Promise<void> => {
  const digests = [entry.text, ...entry.outputs.flatMap((output) => output.digests)]
  return blobs.touch([key, ...digests.map(contentKey)])
}

/** Reads a text stored by its digest; undefined if it is missing or damaged. */
export const readStoredText = async (blobs: Blobs, digest: string): Promise<string | undefined> => {
  const text = await blobs.read(contentKey(digest))
  return text !== undefined && digestOf(text) === digest ? text : undefined
}
