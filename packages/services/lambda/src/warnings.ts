import { leftBehindTexts } from '@vid/project'
import { defineWarnings, type WarningTable } from '@vid/protocol'

const texts = leftBehindTexts('uploaded', 'the function')

/** Warnings of rendering on AWS. */
export const lambdaWarnings = {
  VID_LAMBDA_LEFT_BEHIND: texts.files,
  VID_LAMBDA_PACKAGES: texts.packages,
  VID_LAMBDA_UNPUBLISHED: (f: { published: number; segments: number; problem: string }) => ({
    message: `Publishing the video ended after ${f.published} of ${f.segments} segments: ${f.problem}.`,
    hint: 'The finished video is complete. To find the cause, read the logs of the calls with vid lambda logs.',
  }),
  VID_LAMBDA_SITE_DIFFERS: (f: { siteId: string; folder: string }) => ({
    message: `The folder "${f.folder}" differs from the site ${f.siteId}; vid renders the site.`,
    hint: 'Omit --site-id to upload the current folder, or omit the folder.',
  }),
} satisfies WarningTable

/** Creates the warnings of this package. */
export const lambdaWarning = defineWarnings(lambdaWarnings)
