import { bytesText, defineCommand } from '@vid/command'
import { cleanOptions } from './options.ts'

/** `vid clean [dir]`. */
export const cleanCommand = defineCommand({
  path: 'clean',
  summary: 'Remove the finished segments that were kept for a project.',
  details:
    'Empties the cache of a folder (default: the current one), which by default is .vid/cache in it, and prints how many bytes that freed. The next render makes every segment anew.',
  arguments: [{ name: 'dir', default: '.' }],
  options: cleanOptions,
  examples: [['The folder "intro"', 'vid clean intro']],
  event: 'clean-complete',
  run: async (run) => (await import('./run.ts')).runClean(run),
  text: ({ bytes }) => `freed ${bytesText(bytes)}`,
})
