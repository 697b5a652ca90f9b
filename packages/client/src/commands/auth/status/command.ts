import { defineCommand, outputOptions } from '@vid/command'

/** `vid auth status`. */
export const authStatusCommand = defineCommand({
  path: 'auth status',
  summary: 'Show the credential in use, its account, and the usage of this month.',
  options: outputOptions,
  run: async (run) => (await import('./run.ts')).runAuthStatus(run),
  text: async (result) => (await import('./status-text.ts')).statusText(result),
})
