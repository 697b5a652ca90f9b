import { defineCommand } from '@vid/command'
import { seccompOptions } from '../options.ts'

/** `vid container seccomp`. */
export const containerSeccompCommand = defineCommand({
  path: 'container seccomp',
  summary: 'Print the filter of system calls with which the browser has its sandbox in a container.',
  details: '--docker uses it by itself; this is for containers that you start, such as those of servers.',
  options: seccompOptions,
  examples: [['For an engine', 'vid container seccomp > vid-seccomp.json']],
  run: async () => ({ profile: (await import('../../run/seccomp.ts')).seccompProfile() }),
  text: ({ profile }) => profile,
})
