import { type DeployedSite, deploySite, type Place } from '@vid/lambda'
import { bytesText } from '../text.ts'
import type { LambdaSession } from './following.ts'

/** Uploads a folder as a site unless it is there; `folder` is absolute. */
export const uploadSite = async (
  folder: string,
  { bucketName, region }: Pick<Place, 'bucketName' | 'region'>,
  { report, progress, signal }: Pick<LambdaSession, 'report' | 'progress' | 'signal'>,
): Promise<DeployedSite> => {
  try {
    const site = await deploySite({
      ...{ projectDir: folder, bucketName, signal },
      ...(region !== undefined && { region }),
      onProgress: (now) =>
        progress.show(now.stage === 'uploading' ? `uploading ${bytesText(now.bytes)}` : now.stage),
    })
    report.event({ type: 'lambda-site', ...site })
    return site
  } finally {
    progress.clear()
  }
}
