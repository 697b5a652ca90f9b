import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Blobs, EncodedFile } from '@vid/kernel'
import { digestFile } from '@vid/system'
import { contentKey, type Entry } from './entry.ts'

type Outputs = Entry['outputs']

const filesIn = async (path: string): Promise<string[] | null> =>
  (await stat(path)).isDirectory() ? (await readdir(path)).sort() : null

/** Files of a folder transferred at the same time: a store may be slow to reply, but handle many requests at once. */
const FILES_AT_ONCE = 8

/** Runs work for all items with limited concurrency until one returns false; resolves to whether none did. */
const forAll = async <T>(items: readonly T[], work: (item: T, index: number) => Promise<boolean>): Promise<boolean> => {
  for (let start = 0; start < items.length; start += FILES_AT_ONCE) {
    const batch = items.slice(start, start + FILES_AT_ONCE)
    const results = await Promise.allSettled(batch.map((item, index) => work(item, start + index)))
    const failure = results.find((result) => result.status === 'rejected')
    if (failure) throw failure.reason
    if (results.some((result) => result.status === 'fulfilled' && !result.value)) return false
  }
  return true
}

/** Total size of a segment's files in bytes. */
export const segmentBytes = async (encodedFile: EncodedFile): Promise<number> => {
  let bytes = 0
  for (const { file } of [encodedFile, ...(encodedFile.more ?? [])])
    for (const name of (await filesIn(file)) ?? ['']) bytes += (await stat(join(file, name))).size
  return bytes
}

/** Stores each file of a segment under its digest, including those of further outputs. */
export const keepOutputs = async (blobs: Blobs, path: string, encodedFile: EncodedFile): Promise<Outputs> => {
  const outputs: Outputs = []
  for (const [index, { file }] of [encodedFile, ...(encodedFile.more ?? [])].entries()) {
    const names = await filesIn(file)
    const digests: string[] = []
    await forAll(names ?? [''], async (name, position) => {
      const digest = await digestFile(join(file, name))
      // An existing blob with this digest may be damaged, so it is replaced.
      await blobs.put(contentKey(digest), join(file, name))
      digests[position] = digest
      return true
    })
    const suffix = file.startsWith(path) ? file.slice(path.length) : `-${index}-${basename(file)}`
    outputs.push({ suffix, names, digests })
  }
  return outputs
}

/** Writes a blob to a file and verifies its digest; removes a damaged blob. */
const getChecked = async (blobs: Blobs, digest: string, file: string): Promise<boolean> => {
  const key = contentKey(digest)
  if (!(await blobs.get(key, file))) return false
  if ((await digestFile(file)) === digest) return true
  await blobs.remove([key])
  return false
}

/** Copies the files of a stored segment to the encoder's output paths; undefined if one is missing or damaged. */
export const takeOutputs = async (blobs: Blobs, path: string, outputs: Outputs): Promise<EncodedFile | undefined> => {
  const files: EncodedFile[] = []
  const isComplete = async () => {
    for (const { suffix, names, digests } of outputs) {
      const file = `${path}${suffix}`
      files.push({ file })
      if (names) await mkdir(file, { recursive: true })
      const isWhole = await forAll(digests, (digest, index) =>
        getChecked(blobs, digest, join(file, names?.[index] ?? '')),
      )
      if (!isWhole) return false
    }
    return true
  }
  let complete = false
  try {
    complete = await isComplete()
  } finally {
    if (!complete) for (const { file } of files) await rm(file, { recursive: true, force: true })
  }
  const [first, ...more] = files
  return complete && first ? { ...first, ...(more.length > 0 && { more }) } : undefined
}
