import { defineCommand, outputOptions } from '@vid/command'

/** `vid auth status`. */
export const authStatusCommand = defineCommand({
  path: 'auth status',
  summary: 'Show which credential is in use, whose it is, and what was rendered this month.',
  options: outputOptions,
  run: async (run) => (await import('./run.ts')).runAuthStatus(run),
  text: async (result) => (await import('./status-text.ts')).statusText(result),
})
