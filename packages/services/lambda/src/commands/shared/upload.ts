import { countedBytes, countedProgress } from '@vid/command'
import type { Place } from '../../find-place.ts'
import { type DeployedSite, deploySite } from '../../sites/deploy-site.ts'
import type { LambdaSession } from './following.ts'

/** Uploads a folder as a site unless the bucket has it; `folder` is absolute. */
export const uploadSite = async (
  folder: string,
  { bucketName, region }: Pick<Place, 'bucketName' | 'region'>,
  { report, progress, signal }: Pick<LambdaSession, 'report' | 'progress' | 'signal'>,
): Promise<DeployedSite> => {
  const count = countedProgress(progress, countedBytes('uploading'))
  try {
    const site = await deploySite({
      projectDir: folder,
      bucketName,
      signal,
      ...(region !== undefined && { region }),
      onProgress: (now) => (now.stage === 'uploading' ? count(now.sentBytes, now.bytes) : progress.show(now.stage)),
    })
    report.event({ type: 'lambda-site', ...site })
    return site
  } finally {
    progress.clear()
  }
}
