import { defineCommand } from '@vid/command'
import { lambdaSitesCreateOptions } from './options.ts'

/** `vid lambda sites create [dir]`. */
export const lambdaSitesCreateCommand = defineCommand({
  path: 'lambda sites create',
  summary: 'Upload a project once, and print the id of its site.',
  details:
    'The id is a digest of the names, modes and contents of the files, so an unchanged folder is not uploaded again. Pass the id to --site-id of vid lambda render.',
  arguments: [{ name: 'dir', default: '.' }],
  options: lambdaSitesCreateOptions,
  examples: [['The folder "intro"', 'vid lambda sites create intro']],
  run: async (run) => (await import('./run.ts')).runLambdaSitesCreate(run),
})
