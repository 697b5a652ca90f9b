import { defineWarnings, type WarningTable } from '@vid/kernel'
import { leftBehindTexts } from '@vid/project'

const texts = leftBehindTexts('uploaded', 'the function')

/** Warnings of rendering on AWS. */
export const lambdaWarnings = {
  VID_LAMBDA_LEFT_BEHIND: texts.files,
  VID_LAMBDA_PACKAGES: texts.packages,
  VID_LAMBDA_SITE_DIFFERS: (f: { siteId: string; folder: string }) => ({
    message: `the folder "${f.folder}" is not what was uploaded as the site ${f.siteId}; the site is rendered`,
    hint: 'leave --site-id out to upload the folder as it is now, or leave the folder out',
  }),
} satisfies WarningTable

/** Makes the warnings of this package. */
export const lambdaWarning = defineWarnings(lambdaWarnings)
