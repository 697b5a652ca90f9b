import { type HeldProject, openProjectCache } from '@vid/project'
import { downloadObject, type S3Bucket } from '@vid/s3'
import { makeFolder } from '@vid/system'
import { siteKeys } from '../contract/object-keys.ts'
import { fail } from '../errors.ts'

/** The unpacked projects of an environment, which handles one call at a time. */
export interface SiteCache {
  /** Returns the read-only absolute folder of a project, unpacked if needed. It stays until the next call. */
  hold(siteId: string, place: S3Bucket): Promise<string>
}

/** Opens the cache below a folder; keeps at most `maxBytes` besides the project in use. */
export const openSiteCache = async (folder: string, maxBytes: number): Promise<SiteCache> => {
  await makeFolder(folder, 0o700)
  const cache = await openProjectCache({ folder, maxBytes })
  let current: HeldProject | undefined
  return {
    async hold(siteId, place) {
      const { zip } = siteKeys(siteId)
      const { signal = new AbortController().signal } = place
      if (current?.digest !== siteId) {
        current?.release()
        current = undefined
        if (!cache.has(siteId)) await cache.trim()
        const source = {
          async fetch(path: string) {
            if (await downloadObject(place, zip, path)) return true
            throw fail('VID_LAMBDA_SITE_MISSING', { siteId })
          },
          lost: (problem: string) => fail('VID_LAMBDA_ALTERED', { key: zip, problem: `it ${problem}` }),
        }
        current = await cache.hold(siteId, source, signal)
      }
      return current.folder
    },
  }
}
