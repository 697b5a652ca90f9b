import { defineCommand, outputOptions } from '@vid/command'

/** `vid auth logout`. */
export const authLogoutCommand = defineCommand({
  path: 'auth logout',
  summary: 'Remove the stored credential, and end the sign-in at the API.',
  options: outputOptions,
  run: async (run) => (await import('./run.ts')).runAuthLogout(run),
  text: ({ removed, path }) => (removed ? `signed out: ${path} holds no credential any more` : 'nothing was stored'),
})
