import { defineCommand, outputOptions } from '@vid/command'

/** `vid auth logout`. */
export const authLogoutCommand = defineCommand({
  path: 'auth logout',
  summary: 'Remove the stored credential, and end the sign-in at the API.',
  options: outputOptions,
  async run(run) {
    const [{ describeCause }, { credentialsPath }, { apiUrlOf, KEY_VARIABLES }, { logout }, { clientWarning }] =
      await Promise.all([
        import('@vid/protocol'),
        import('../../credentials/file.ts'),
        import('../../credentials/place.ts'),
        import('../../login/logout.ts'),
        import('../../warnings.ts'),
      ])
    const { env, signal, json, report } = run
    const path = credentialsPath(env)
    const { removed, failure } = await logout({ url: apiUrlOf(env), path, signal })
    if (failure !== undefined) report.warn(clientWarning('VID_LOGOUT_UNTOLD', { reason: describeCause(failure) }))
    for (const name of KEY_VARIABLES)
      if (env[name]?.trim() && !json) report.note(`${name} is still set, and stays in use`)
    return { removed, path }
  },
  text: ({ removed, path }) => (removed ? `signed out: ${path} no longer contains a credential` : 'nothing was stored'),
})
