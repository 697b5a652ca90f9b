import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Blobs, EncodedFile } from '@vid/kernel'
import { contentKey, type Entry } from './entry.ts'
import { digestFile } from './file-digest.ts'

type Outputs = Entry['outputs']

const filesIn = async (path: string): Promise<string[] | null> =>
  (await stat(path)).isDirectory() ? (await readdir(path)).sort() : null

/** Bytes of a segment's files. */
export const bytesOf = async (encoded: EncodedFile): Promise<number> => {
  let bytes = 0
  for (const { file } of [encoded, ...(encoded.more ?? [])])
    for (const name of (await filesIn(file)) ?? ['']) bytes += (await stat(join(file, name))).size
  return bytes
}

/** Keeps each file of a segment under its digest, those of further outputs too. */
export const keepOutputs = async (blobs: Blobs, path: string, encoded: EncodedFile): Promise<Outputs> => {
  const outputs: Outputs = []
  for (const [index, { file }] of [encoded, ...(encoded.more ?? [])].entries()) {
    const names = await filesIn(file)
    const digests: string[] = []
    for (const name of names ?? ['']) {
      const digest = await digestFile(join(file, name))
      // What is there under this digest may be damaged: it is written anew.
      await blobs.put(contentKey(digest), join(file, name))
      digests.push(digest)
    }
    const suffix = file.startsWith(path) ? file.slice(path.length) : `-${index}-${basename(file)}`
    outputs.push({ suffix, names, digests })
  }
  return outputs
}

/** Writes a blob to a file and checks what came; a damaged blob is removed. */
const getChecked = async (blobs: Blobs, digest: string, file: string): Promise<boolean> => {
  const key = contentKey(digest)
  if (!(await blobs.get(key, file))) return false
  if ((await digestFile(file)) === digest) return true
  await blobs.remove(key)
  return false
}

/** Puts the files of a kept segment where an encoder would have; undefined when one is gone or damaged. */
export const takeOutputs = async (
  blobs: Blobs,
  path: string,
  outputs: Outputs,
): Promise<EncodedFile | undefined> => {
  const files: EncodedFile[] = []
  const isComplete = async () => {
    for (const { suffix, names, digests } of outputs) {
      const file = `${path}${suffix}`
      files.push({ file })
      if (names) await mkdir(file, { recursive: true })
      for (const [index, digest] of digests.entries())
        if (!(await getChecked(blobs, digest, join(file, names?.[index] ?? '')))) return false
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
