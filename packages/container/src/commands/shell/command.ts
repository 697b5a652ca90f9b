import { defineCommand } from '@vid/command'
import { shellOptions } from '../options.ts'

/** `vid container shell [dir]`. */
export const containerShellCommand = defineCommand({
  path: 'container shell',
  summary: 'Open a shell where --docker would render a folder, with the same limits.',
  details: 'Everything written there is lost.',
  arguments: [{ name: 'dir', default: '.' }],
  options: shellOptions,
  run: async (run) => (await import('./run.ts')).runContainerShell(run),
  exitCode: ({ code }) => code,
})
