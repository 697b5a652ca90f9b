import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProjectLimits, unpackProject } from '@vid/project'
import { downloadObject, type S3Bucket } from '@vid/s3'
import { makeFolder, scratchName } from '@vid/system'
import { siteKeys } from '../contract/object-keys.ts'
import { fail } from '../errors.ts'
import { isThere, trimFolder, use } from './bounded-folder.ts'

/** Unpacked projects of an environment, for the calls that come to it one after another. */
export interface SiteCache {
  /** Absolute folder of a project, unpacked unless it is there; nobody may write into it. */
  hold(siteId: string, place: S3Bucket): Promise<string>
}

/** What the bucket holds was within the limits when it was sent there. */
const unlimited: Partial<ProjectLimits> = {
  entries: Number.MAX_SAFE_INTEGER,
  fileBytes: Number.MAX_SAFE_INTEGER,
  bytes: Number.MAX_SAFE_INTEGER,
  ratio: Number.MAX_SAFE_INTEGER,
}

/** Opens the projects below a folder; at most `maxBytes` stay beside the one in use. */
export const openSiteCache = (parent: string, maxBytes: number): SiteCache => {
  const unpack = async (siteId: string, place: S3Bucket, folder: string): Promise<void> => {
    const { zip } = siteKeys(siteId)
    const work = join(parent, scratchName('.unpacking-'))
    await mkdir(work, { mode: 0o700 })
    try {
      const file = join(work, 'project.zip')
      if (!(await downloadObject(place, zip, file))) throw fail('VID_LAMBDA_SITE_MISSING', { siteId })
      const made = join(work, 'project')
      const { signal } = place
      const { digest } = await unpackProject(file, made, { limits: unlimited, ...(signal && { signal }) })
      if (digest !== siteId) throw fail('VID_LAMBDA_ALTERED', { key: zip, problem: `it holds the project ${digest}` })
      await rename(made, folder)
    } finally {
      await rm(work, { recursive: true, force: true })
    }
  }
  return {
    async hold(siteId, place) {
      const folder = join(parent, siteId)
      await makeFolder(parent, 0o700)
      if (!(await isThere(folder))) {
        await trimFolder(parent, maxBytes)
        await unpack(siteId, place, folder)
      }
      await use(folder)
      return folder
    },
  }
}
