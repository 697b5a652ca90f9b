import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { placeArtifact } from '@vid/kernel'
import { downloadObject, listObjects, type S3Bucket } from '@vid/s3'
import { digestFile, digestFolder, makeFolder, runPool, scratchName } from '@vid/system'
import type { LambdaResult } from '../contract/action-events.ts'
import { fail } from '../errors.ts'

/** Images downloaded at the same time. */
const AT_ONCE = 16

const uriOf = ({ bucket }: S3Bucket, { outputKey }: LambdaResult) => `s3://${bucket}/${outputKey}`

/** SHA-256 of a file, or of the lines that `sha256sum *` prints in a folder. */
const digestOf = async (path: string, isFolder: boolean, signal: AbortSignal): Promise<string> => {
  if (!isFolder) return digestFile(path, signal)
  const digests = new Map<string, string>()
  for (const name of await readdir(path)) digests.set(name, await digestFile(join(path, name), signal))
  return digestFolder(digests)
}

/** The file names of an image sequence: as many as were rendered, differing only in their numbers. */
const imagesOf = (names: readonly string[], files: number): readonly string[] => {
  const kindOf = (name: string) => name.replace(/\d+/g, '#')
  const kinds = [...new Set(names.map(kindOf))].map((kind) => names.filter((name) => kindOf(name) === kind))
  return kinds.find((kind) => kind.length === files) ?? names
}

/** Downloads the images of a folder; other objects beside them in the bucket are ignored. */
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
  const images = imagesOf(names, result.files ?? names.length)
  await runPool(images, AT_ONCE, signal, async (name, stop) => {
    await downloadObject({ ...place, signal: stop }, `${prefix}${name}`, join(path, name))
  })
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
  else if (!(await downloadObject({ ...place, signal }, result.outputKey, path)))
    throw fail('VID_LAMBDA_OUTPUT_MISSING', { uri: uriOf(place, result) })
  const digest = await digestOf(path, isFolder, signal)
  if (digest !== result.sha256)
    throw fail('VID_LAMBDA_OUTPUT_DAMAGED', { uri: uriOf(place, result), expected: result.sha256, found: digest })
}

/** Name prefix of the temporary path beside an output. */
const PREFIX = '.vid-'

/** Downloads the result of a render, and moves it into place once it is complete. */
export const fetchOutput = async (
  place: S3Bucket,
  result: LambdaResult,
  path: string,
  signal: AbortSignal,
): Promise<void> => {
  const folder = dirname(path)
  await makeFolder(folder)
  const beside = join(folder, scratchName(PREFIX))
  try {
    await downloadOutput(place, result, beside, signal)
    await placeArtifact(beside, path, signal)
  } finally {
    await rm(beside, { recursive: true, force: true, maxRetries: 3 })
  }
}
