import { type ListedSite, listSites } from '@vid/lambda'
import { startCommand } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { bucketOf } from '../../../lambda/place.ts'
import { bytesText } from '../../../text.ts'
import { lambdaSitesListFlags } from './flags.ts'

const siteLine = ({ siteId, uploadedAt, zipBytes }: ListedSite): string =>
  `${siteId}  ${uploadedAt}  ${bytesText(zipBytes)}`

/** `vid lambda sites list`: prints a line for each project that was uploaded, the latest first. */
export const runLambdaSitesList = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { flags, json, report } = startCommand(lambdaSitesListFlags, rawFlags, context)
  const place = await bucketOf(flags, context)
  const found: ListedSite[] = []
  for await (const site of listSites({ ...place, signal: context.signal })) found.push(site)
  const sites = found.sort((a, b) => (a.uploadedAt < b.uploadedAt ? 1 : -1))
  report.event({ type: 'lambda-sites', sites })
  for (const site of sites) report.result(siteLine(site))
  if (!json && sites.length === 0) report.note('no sites')
}
