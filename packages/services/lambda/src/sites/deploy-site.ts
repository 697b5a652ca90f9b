import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProjectManifest, readManifest, writeProjectZip } from '@vid/project'
import { putObject, readObjectText, type S3Bucket, sizeOf, uploadFile, withBucket } from '@vid/s3'
import { inTempFolder, makeScratchFolder, removeAbandoned } from '@vid/system'
import type { AwsPlace } from '../aws-clients.ts'
import { siteKeys } from '../contract/object-keys.ts'
import { bucketProblems } from '../contract/places.ts'
import { refuseProblems } from '../invalid-config.ts'

/** A project that the function can render. */
export interface SiteHandle {
  /** SHA-256 of the project's manifest, so equal projects have equal ids on any machine. */
  readonly siteId: string
  readonly bucketName: string
}

/** The outcome of an upload. */
export interface DeployedSite extends SiteHandle {
  readonly files: number
  /** Size of all files together, unpacked. */
  readonly bytes: number
  /** False if the bucket already had it. */
  readonly uploaded: boolean
}

/**
 * The steps of an upload, each reported as it begins; uploading is also reported after each part, with `sentBytes` of
 * `bytes`.
 */
export type SiteProgress =
  | { readonly stage: 'reading' | 'packing' }
  | { readonly stage: 'uploading'; readonly bytes: number; readonly sentBytes: number }

/** The project to upload, and the bucket. */
export interface DeploySiteOptions extends AwsPlace {
  /** Folder of the project. */
  readonly projectDir: string
  readonly bucketName: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: SiteProgress) => void
}

const PREFIX = 'vid-site-'

const upload = async (
  place: S3Bucket,
  { projectDir, onProgress }: DeploySiteOptions,
  manifest: ProjectManifest,
): Promise<void> => {
  const { signal } = place
  const keys = siteKeys(manifest.digest)
  const folder = await inTempFolder(async (parent) => {
    await removeAbandoned(parent, PREFIX)
    return makeScratchFolder(parent, PREFIX)
  })
  try {
    const zip = join(folder, 'project.zip')
    onProgress?.({ stage: 'packing' })
    const { bytes, digest } = await writeProjectZip(projectDir, manifest, zip, { ...(signal && { signal }) })
    const onSent = (sentBytes: number) => onProgress?.({ stage: 'uploading', bytes, sentBytes })
    onSent(0)
    await uploadFile(place, keys.zip, zip, { onSent })
    const description = {
      siteId: manifest.digest,
      files: manifest.files.length,
      bytes: bytesOf(manifest),
      zip: { bytes, sha256: digest },
    }
    // Written last: a site with a description is complete.
    await putObject(place, keys.description, JSON.stringify(description))
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Largest description of a site, in bytes. */
const MAX_DESCRIPTION_BYTES = 4096

/** Whether the bucket has a site with a zip of the described size; a lost zip is uploaded again. */
const isComplete = async (place: S3Bucket, siteId: string): Promise<boolean> => {
  const keys = siteKeys(siteId)
  const text = await readObjectText(place, keys.description, MAX_DESCRIPTION_BYTES)
  if (text === undefined) return false
  const bytes = await sizeOf(place, keys.zip)
  return bytes !== undefined && text.includes(`"zip":{"bytes":${bytes},`)
}

const bytesOf = ({ files }: ProjectManifest): number => files.reduce((sum, { length }) => sum + length, 0)

/** Uploads a project under the SHA-256 of its manifest, unless the bucket has it. */
export const deploySite = async (options: DeploySiteOptions): Promise<DeployedSite> => {
  const { projectDir, bucketName, region, signal, onProgress } = options
  refuseProblems(bucketProblems(bucketName))
  onProgress?.({ stage: 'reading' })
  const manifest = await readManifest(projectDir, { ...(signal && { signal }) })
  return withBucket({ bucketName, region, signal }, async (place) => {
    const isThere = await isComplete(place, manifest.digest)
    if (!isThere) await upload(place, options, manifest)
    return {
      siteId: manifest.digest,
      bucketName,
      files: manifest.files.length,
      bytes: bytesOf(manifest),
      uploaded: !isThere,
    }
  })
}
