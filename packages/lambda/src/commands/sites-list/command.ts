import { defineCommand } from '@vid/command'
import { lambdaSitesListOptions } from './options.ts'

/** `vid lambda sites list`. */
export const lambdaSitesListCommand = defineCommand({
  path: 'lambda sites list',
  summary: 'List the uploaded projects.',
  options: lambdaSitesListOptions,
  examples: [['All, as JSON', 'vid lambda sites list --json']],
  event: 'lambda-sites',
  run: async (run) => (await import('./run.ts')).runLambdaSitesList(run),
  text: async (result) => (await import('./sites-text.ts')).sitesText(result),
})
