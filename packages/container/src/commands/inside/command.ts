import { defineCommand } from '@vid/command'
import { insideOptions } from '../options.ts'

/** `vid container inside <order>`. */
export const containerInsideCommand = defineCommand({
  path: 'container inside',
  summary: 'Render what a file asks for: what --docker starts in a container, and of no use elsewhere.',
  arguments: [{ name: 'order' }],
  options: insideOptions,
  run: async (run) => (await import('./run.ts')).runContainerInside(run),
  exitCode: ({ code }) => code,
})
