import { defineCommand, outputOptions } from '@vid/command'

/** `vid auth refresh`. */
export const authRefreshCommand = defineCommand({
  path: 'auth refresh',
  summary: 'Exchange the token of the sign-in for a new one, even if it has not expired.',
  options: outputOptions,
  run: async (run) => (await import('./run.ts')).runAuthRefresh(run),
  text: ({ expires_at: expires }) => `refreshed${expires === null ? '' : `; the token is valid until ${expires}`}`,
})
