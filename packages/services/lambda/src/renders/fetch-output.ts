import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type BesideFile, besidePath, isFolderFile, placeArtifact, posterSuffixes } from '@vid/kernel'
import { downloadObject, listObjects, type S3Bucket } from '@vid/s3'
import { digestFile, digestFolder, makeFolder, runPool, scratchName } from '@vid/system'
import type { LambdaResult } from '../contract/action-events.ts'
import { fail } from '../errors.ts'

/** Files downloaded at the same time. */
const AT_ONCE = 16

const uriOf = ({ bucket }: S3Bucket, key: string) => `s3://${bucket}/${key}`

/** SHA-256 of a file, or of the lines that `sha256sum *` prints in a folder. */
const digestOf = async (path: string, isFolder: boolean, signal: AbortSignal): Promise<string> => {
  if (!isFolder) return digestFile(path, signal)
  const digests = new Map<string, string>()
  for (const name of await readdir(path)) digests.set(name, await digestFile(join(path, name), signal))
  return digestFolder(digests)
}

/**
 * The names of files that a render has written: as many images as were rendered, differing only in their numbers, or
 * those of an hls video.
 */
const filesOf = (names: readonly string[], files: number): readonly string[] => {
  const kindOf = (name: string) => name.replace(/\d+/g, '#')
  const kinds = [...new Set(names.map(kindOf))].map((kind) => names.filter((name) => kindOf(name) === kind))
  return kinds.find((kind) => kind.length === files) ?? names.filter(isFolderFile)
}

/** Downloads the files of a folder; other objects beside them in the bucket are ignored. */
const downloadFolder = async (
  place: S3Bucket,
  result: LambdaResult,
  path: string,
  signal: AbortSignal,
): Promise<void> => {
  const prefix = `${result.outputKey}/`
  await mkdir(path)
  const names: string[] = []
  for await (const { key } of listObjects({ ...place, signal }, prefix)) {
    const name = key.slice(prefix.length)
    if (basename(key) === name) names.push(name)
  }
  const files = filesOf(names, result.files ?? names.length)
  await runPool(files, AT_ONCE, signal, async (name, stop) => {
    await downloadObject({ ...place, signal: stop }, `${prefix}${name}`, join(path, name))
  })
}

const downloadFile = async (place: S3Bucket, key: string, path: string): Promise<void> => {
  if (!(await downloadObject(place, key, path))) throw fail('VID_LAMBDA_OUTPUT_MISSING', { uri: uriOf(place, key) })
}

const checkDigest = (uri: string, expected: string, actual: string): void => {
  if (actual !== expected) throw fail('VID_LAMBDA_OUTPUT_DAMAGED', { uri, expected, found: actual })
}

/** Downloads the result of a render to a new file or folder, and verifies its digest. */
export const downloadOutput = async (
  place: S3Bucket,
  result: LambdaResult,
  path: string,
  signal: AbortSignal,
): Promise<void> => {
  const isFolder = result.files !== undefined
  if (isFolder) await downloadFolder(place, result, path, signal)
  else await downloadFile({ ...place, signal }, result.outputKey, path)
  const digest = await digestOf(path, isFolder, signal)
  checkDigest(uriOf(place, result.outputKey), result.sha256, digest)
}

/** Downloads the poster of a result to the path beside that of its video; undefined if it has none there. */
export const downloadResultPoster = async (
  place: S3Bucket,
  { poster }: LambdaResult,
  path: string,
  signal: AbortSignal,
): Promise<BesideFile | undefined> => {
  const suffix = posterSuffixes.find((ending) => poster?.key.endsWith(ending.suffix))?.suffix
  if (!poster || suffix === undefined) return undefined
  const file = besidePath(path, suffix)
  await downloadFile({ ...place, signal }, poster.key, file)
  checkDigest(uriOf(place, poster.key), poster.sha256, await digestFile(file, signal))
  return { suffix, path: file }
}

/** Name prefix of the temporary folder beside an output. */
const PREFIX = '.vid-'

/** Downloads the result of a render with its poster, and moves both into place once they are complete. */
export const fetchOutput = async (
  place: S3Bucket,
  result: LambdaResult,
  path: string,
  signal: AbortSignal,
): Promise<void> => {
  const folder = dirname(path)
  await makeFolder(folder)
  const scratch = join(folder, scratchName(PREFIX))
  await mkdir(scratch)
  const partial = join(scratch, basename(path))
  try {
    await downloadOutput(place, result, partial, signal)
    const poster = await downloadResultPoster(place, result, partial, signal)
    await placeArtifact(partial, path, signal)
    if (poster) await placeArtifact(poster.path, besidePath(path, poster.suffix), signal)
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 })
  }
}
