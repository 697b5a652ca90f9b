import { defineCommand } from '@vid/command'
import { publishConflicts, publishOptions, publishProblems } from './options.ts'

/** `vid publish [dir]`. */
export const publishCommand = defineCommand({
  path: 'publish',
  summary: 'Show a composition on a page of a hosted API.',
  details:
    'Sends a folder (default: the current one), has it rendered at draft quality, and prints the address of a page that plays the composition and offers the video. Nobody can guess the address; everybody with it can see the page, and read the files of the folder that were sent, unless --no-play has the page show the video alone.',
  arguments: [{ name: 'dir', isOptional: true }],
  options: publishOptions,
  examples: [
    ['The folder "intro"', 'vid publish intro --title "Our intro"'],
    ['The video alone, without the files', 'vid publish intro --no-play'],
    ['What is published, and taking it back', 'vid publish --list && vid publish --unpublish pub_7Kq2'],
  ],
  conflicts: publishConflicts,
  check: ({ arguments: { dir }, options }) => publishProblems(dir, options),
  run: async (run) => (await import('./run.ts')).runPublish(run),
})
