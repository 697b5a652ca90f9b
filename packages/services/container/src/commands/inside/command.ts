import { defineCommand } from '@vid/command'
import { insideOptions } from '../options.ts'

/** `vid container inside <order>`. */
export const containerInsideCommand = defineCommand({
  path: 'container inside',
  summary: 'Render the request in a file. --docker runs this command inside its container.',
  arguments: [{ name: 'order' }],
  options: insideOptions,
  run: async (run) => (await import('./run.ts')).runContainerInside(run),
  exitCode: ({ code }) => code,
})
