import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { EncodedFile } from '@vid/kernel'
import type { Entry } from './entry.ts'
import { keepFile, takeFile } from './folder.ts'

type Outputs = Entry['outputs']

const filesIn = async (path: string): Promise<string[] | null> =>
  (await stat(path)).isDirectory() ? (await readdir(path)).sort() : null

/** Bytes of a segment's files. */
export const bytesOf = async (made: EncodedFile): Promise<number> => {
  let bytes = 0
  for (const { file } of [made, ...(made.more ?? [])])
    for (const name of (await filesIn(file)) ?? ['']) bytes += (await stat(join(file, name))).size
  return bytes
}

/** Keeps the files of a segment, those of further outputs too. */
export const keepOutputs = async (root: string, path: string, made: EncodedFile): Promise<Outputs> => {
  const outputs: Outputs = []
  for (const [at, { file }] of [made, ...(made.more ?? [])].entries()) {
    const names = await filesIn(file)
    const digests: string[] = []
    for (const name of names ?? ['']) digests.push(await keepFile(root, join(file, name)))
    const suffix = file.startsWith(path) ? file.slice(path.length) : `-${at}-${basename(file)}`
    outputs.push({ suffix, names, digests })
  }
  return outputs
}

/** Puts the files of a kept segment where an encoder would have; undefined when one is gone or damaged. */
export const takeOutputs = async (
  root: string,
  path: string,
  outputs: Outputs,
): Promise<EncodedFile | undefined> => {
  const files: EncodedFile[] = []
  for (const { suffix, names, digests } of outputs) {
    const file = `${path}${suffix}`
    if (names) await mkdir(file, { recursive: true })
    files.push({ file })
    for (const [index, digest] of digests.entries())
      if (!(await takeFile(root, digest, join(file, names?.[index] ?? '')))) {
        for (const each of files) await rm(each.file, { recursive: true, force: true })
        return undefined
      }
  }
  const [first, ...more] = files
  return first && (more.length > 0 ? { ...first, more } : first)
}
