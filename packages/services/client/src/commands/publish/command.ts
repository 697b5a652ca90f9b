import { defineCommand } from '@vid/command'
import { publishConflicts, publishOptions, publishProblems } from './options.ts'

/** `vid publish [dir]`. */
export const publishCommand = defineCommand({
  path: 'publish',
  summary: 'Publish a composition on a page of a hosted API.',
  details:
    'Sends a folder (default: the current one), renders it at draft quality, and prints the address of a page that plays the composition and offers the video. Nobody can guess the address. Everybody who has it can see the page and read the sent files, except with --no-play.',
  arguments: [{ name: 'dir', isOptional: true }],
  options: publishOptions,
  examples: [
    ['The folder "intro"', 'vid publish intro --title "Our intro"'],
    ['The video alone, without the files', 'vid publish intro --no-play'],
    ['List the pages, and remove one', 'vid publish --list && vid publish --unpublish pub_7Kq2'],
  ],
  conflicts: publishConflicts,
  check: ({ arguments: { dir }, options }) => publishProblems(dir, options),
  run: async (run) => (await import('./run.ts')).runPublish(run),
})
