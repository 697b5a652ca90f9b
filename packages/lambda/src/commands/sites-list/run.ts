import type { CommandRun } from '@vid/command'
import { type ListedSite, listSites } from '../../sites/list-sites.ts'
import { bucketOf } from '../shared/place.ts'
import type { lambdaSitesListOptions } from './options.ts'

/** `vid lambda sites list`: the projects that were uploaded, the latest first. */
export const runLambdaSitesList = async (run: CommandRun<typeof lambdaSitesListOptions>) => {
  const place = await bucketOf(run.options, run)
  const sites: ListedSite[] = []
  for await (const site of listSites({ ...place, signal: run.signal })) sites.push(site)
  return { sites: sites.sort((a, b) => (a.uploadedAt < b.uploadedAt ? 1 : -1)) }
}
