import { bytesText, type ResultText } from '@vid/command'
import type { ListedSite } from '../../sites/list-sites.ts'

const siteLine = ({ siteId, uploadedAt, zipBytes }: ListedSite): string =>
  `${siteId}  ${uploadedAt}  ${bytesText(zipBytes)}`

/** Formats uploaded projects, one a line, latest first. */
export const sitesText = ({ sites }: { readonly sites: readonly ListedSite[] }): ResultText => ({
  lines: sites.map(siteLine),
  after: sites.length === 0 ? 'no sites' : [],
})
