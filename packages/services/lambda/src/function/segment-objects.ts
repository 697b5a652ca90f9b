import { rm, stat } from 'node:fs/promises'
import { readManifest, unpackProject, writeProjectZip } from '@vid/project'
import type { PlacedSegment } from '@vid/render'
import { downloadObject, type S3Bucket, uploadFile } from '@vid/s3'
import { digestFile } from '@vid/system'
import type { KeptSegment } from '../contract/chunk-records.ts'
import { renderKeys } from '../contract/object-keys.ts'
import { fail } from '../errors.ts'

const unlimited = {
  entries: Number.MAX_SAFE_INTEGER,
  fileBytes: Number.MAX_SAFE_INTEGER,
  bytes: Number.MAX_SAFE_INTEGER,
  ratio: Number.MAX_SAFE_INTEGER,
}

/** Uploads the file of a segment, or its folder as a zip; removes the local copy. */
export const keepSegment = async (
  place: S3Bucket,
  renderId: string,
  { index, frames }: PlacedSegment,
  path: string,
  signal: AbortSignal,
): Promise<KeptSegment> => {
  const upload = async (file: string, more: Pick<KeptSegment, 'folder'>): Promise<KeptSegment> => {
    const sha256 = await digestFile(file, signal)
    const key = renderKeys(renderId).segment(index, sha256)
    await uploadFile(place, key, file, { type: 'application/octet-stream' })
    const { size: bytes } = await stat(file)
    await rm(path, { recursive: true, force: true })
    return { index, frames, bytes, sha256, ...more }
  }
  if (!(await stat(path)).isDirectory()) return upload(path, {})
  const manifest = await readManifest(path, { limits: unlimited, signal })
  const zip = `${path}.zip`
  await writeProjectZip(path, manifest, zip, { signal })
  const object = await upload(zip, { folder: manifest.digest })
  await rm(zip, { force: true })
  return object
}

/** Downloads a segment and verifies its digest. */
export const fetchSegment = async (
  place: S3Bucket,
  renderId: string,
  { index, sha256, folder }: KeptSegment,
  path: string,
  signal: AbortSignal,
): Promise<void> => {
  const key = renderKeys(renderId).segment(index, sha256)
  const file = folder === undefined ? path : `${path}.zip`
  if (!(await downloadObject({ ...place, signal }, key, file))) throw fail('VID_LAMBDA_LOST', { key })
  const actualDigest = await digestFile(file, signal)
  if (actualDigest !== sha256)
    throw fail('VID_LAMBDA_ALTERED', { key, problem: `its SHA-256 is ${actualDigest}, but should be ${sha256}` })
  if (folder === undefined) return
  const { digest } = await unpackProject(file, path, { limits: unlimited, signal })
  if (digest !== folder)
    throw fail('VID_LAMBDA_ALTERED', { key, problem: 'it unpacks to other files than were packed' })
  await rm(file, { force: true })
}
