import { createS3Client, listObjects, type S3Bucket } from '@vid/s3'
import type { AwsPlace } from '../aws-clients.ts'
import { prefixes } from '../contract/object-keys.ts'
import { bucketProblems } from '../contract/places.ts'
import { refuseProblems } from '../invalid-config.ts'
import type { SiteHandle } from './deploy-site.ts'

/** A project in the bucket. */
export interface ListedSite extends SiteHandle {
  /** Size of its zip. */
  readonly zipBytes: number
  readonly uploadedAt: string
}

/** The bucket to list, with an abort signal. */
export interface ListSitesOptions extends AwsPlace {
  readonly bucketName: string
  readonly signal?: AbortSignal
}

const KEY = new RegExp(`^${prefixes.sites}([0-9a-f]{64})/(project\\.zip|site\\.json)$`)

/** Yields the complete projects in a bucket, ordered by id. */
export async function* listSites({ bucketName, region, signal }: ListSitesOptions): AsyncGenerator<ListedSite> {
  refuseProblems(bucketProblems(bucketName))
  const client = await createS3Client({ region })
  try {
    const place: S3Bucket = { client, bucket: bucketName, signal }
    let zip: { readonly siteId: string; readonly bytes: number } | undefined
    // In key order, the zip of a site comes before its description.
    for await (const { key, bytes, writtenMs } of listObjects(place, prefixes.sites)) {
      const [, siteId = '', name] = KEY.exec(key) ?? []
      if (name === 'project.zip') zip = { siteId, bytes }
      if (name !== 'site.json' || zip?.siteId !== siteId) continue
      yield { siteId, bucketName, zipBytes: zip.bytes, uploadedAt: new Date(writtenMs).toISOString() }
    }
  } finally {
    client.destroy()
  }
}
