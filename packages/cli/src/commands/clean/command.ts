import { bytesText, defineCommand } from '@vid/command'
import { cleanOptions } from './options.ts'

/** `vid clean [dir]`. */
export const cleanCommand = defineCommand({
  path: 'clean',
  summary: 'Remove the cached segments of a project.',
  details:
    'Empties the cache of a folder (default: the current one), by default .vid/cache, and prints how many bytes it freed. The next render renders every segment again.',
  arguments: [{ name: 'dir', default: '.' }],
  options: cleanOptions,
  examples: [['The folder "intro"', 'vid clean intro']],
  event: 'clean-complete',
  run: async (run) => (await import('./run.ts')).runClean(run),
  text: ({ bytes }) => `freed ${bytesText(bytes)}`,
})
