import { bytesText, type ResultText } from '@vid/command'
import type { ListedSite } from '../../sites/list-sites.ts'

const siteLine = ({ siteId, uploadedAt, zipBytes }: ListedSite): string =>
  `${siteId}  ${uploadedAt}  ${bytesText(zipBytes)}`

/** Projects that were uploaded, one a line, the latest first. */
export const sitesText = ({ sites }: { readonly sites: readonly ListedSite[] }): ResultText => ({
  lines: sites.map(siteLine),
  after: sites.length === 0 ? 'no sites' : [],
})
