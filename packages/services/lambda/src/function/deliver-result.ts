import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { besidePath, posterSuffixes } from '@vid/kernel'
import { isPlaylist, listObjects, readPlaylists, removeObjects, uploadFile } from '@vid/s3'
import { digestFile, digestFolder } from '@vid/system'
import type { LambdaResult } from '../contract/action-events.ts'
import type { ExecutionInput } from '../contract/execution-input.ts'
import { closeStream } from '../streams/held-record.ts'
import { writeLastPlaylists } from '../streams/stream-playlists.ts'
import type { CallRun } from './call-run.ts'
import { storeMedia } from './publishing/stream-media.ts'

type Output = Pick<ExecutionInput, 'renderId' | 'outputKey' | 'growing'>
type Delivered = Pick<LambdaResult, 'bytes' | 'sha256' | 'files' | 'poster'>

/** Removes the surplus files of an earlier, longer folder at the same key. */
const removeLonger = async (outputKey: string, names: readonly string[], { place }: CallRun): Promise<void> => {
  const ofNumbers = (name: string) => name.replace(/\d+/g, '#')
  const current = new Set(names)
  const kinds = new Set(names.map(ofNumbers))
  const old: string[] = []
  for await (const { key } of listObjects(place, `${outputKey}/`)) {
    const name = key.slice(outputKey.length + 1)
    if (!current.has(name) && kinds.has(ofNumbers(name))) old.push(key)
  }
  await removeObjects(place, old)
}

/** Stores the files of a folder below the key, and what names others after them. */
const deliverFolder = async (path: string, output: Output, run: CallRun): Promise<Delivered> => {
  const { place, signal } = run
  const { outputKey, growing } = output
  const names = await readdir(path)
  // From here on, no call that still runs shows players another segment.
  const { media: stored } = growing ? await closeStream(place, output) : { media: {} }
  const media = await storeMedia(
    place,
    { folder: path, outputKey, names: names.filter((name) => !isPlaylist(name)) },
    stored,
  )
  const playlists = await readPlaylists(path, signal)
  await writeLastPlaylists(place, outputKey, Object.fromEntries(playlists.map(({ name, text }) => [name, text])))
  const digests = new Map(Object.entries(media))
  let bytes = 0
  for (const name of names) {
    const file = join(path, name)
    if (isPlaylist(name)) digests.set(name, await digestFile(file, signal))
    bytes += (await stat(file)).size
  }
  await removeLonger(outputKey, names, run)
  return { bytes, files: names.length, sha256: digestFolder(digests) }
}

/** Stores the poster beside the output, by the name that it has beside a local one. */
const deliverPoster = async (
  path: string,
  outputKey: string,
  { place, signal }: CallRun,
): Promise<Pick<Delivered, 'poster'>> => {
  const names = await readdir(dirname(path))
  for (const { suffix } of posterSuffixes) {
    const file = besidePath(path, suffix)
    if (!names.includes(basename(file))) continue
    const key = besidePath(outputKey, suffix)
    await uploadFile(place, key, file)
    return { poster: { key, bytes: (await stat(file)).size, sha256: await digestFile(file, signal) } }
  }
  return {}
}

/** Stores the result under its key: a file with its poster, or the files of a folder below it. */
export const deliverResult = async (path: string, output: Output, run: CallRun): Promise<Delivered> => {
  const stats = await stat(path)
  if (stats.isDirectory()) return deliverFolder(path, output, run)
  const sha256 = await digestFile(path, run.signal)
  await uploadFile(run.place, output.outputKey, path)
  return { sha256, bytes: stats.size, ...(await deliverPoster(path, output.outputKey, run)) }
}
