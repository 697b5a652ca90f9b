import { defineCommand, type OptionTable, outputOptions } from '@vid/command'
import type { ListedSite } from '../../sites/list-sites.ts'
import { stackPlaceOptions } from '../shared/options.ts'

const { bucket, stack, region } = stackPlaceOptions

const lambdaSitesListOptions = {
  bucket,
  stack,
  region,
  ...outputOptions,
} as const satisfies OptionTable

/** `vid lambda sites list`. */
export const lambdaSitesListCommand = defineCommand({
  path: 'lambda sites list',
  summary: 'List the uploaded projects.',
  options: lambdaSitesListOptions,
  examples: [['All, as JSON', 'vid lambda sites list --json']],
  event: 'lambda-sites',
  async run(run) {
    const [{ listSites }, { bucketOf }] = await Promise.all([
      import('../../sites/list-sites.ts'),
      import('../shared/place.ts'),
    ])
    const place = await bucketOf(run.options, run)
    const sites: ListedSite[] = []
    for await (const site of listSites({ ...place, signal: run.signal })) sites.push(site)
    return { sites: sites.sort((a, b) => (a.uploadedAt < b.uploadedAt ? 1 : -1)) }
  },
  text: async (result) => (await import('./sites-text.ts')).sitesText(result),
})
