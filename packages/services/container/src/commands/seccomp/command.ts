import { defineCommand } from '@vid/command'
import { seccompOptions } from '../options.ts'

/** `vid container seccomp`. */
export const containerSeccompCommand = defineCommand({
  path: 'container seccomp',
  summary: 'Print the seccomp filter that allows the sandbox of the browser in a container.',
  details: '--docker applies it automatically; use it for containers that you start, such as those of servers.',
  options: seccompOptions,
  examples: [['For an engine', 'vid container seccomp > vid-seccomp.json']],
  run: async () => ({ profile: (await import('../../run/seccomp.ts')).seccompProfile() }),
  text: ({ profile }) => profile,
})
