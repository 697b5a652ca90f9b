import { defineCommand, outputOptions } from '@vid/command'

/** `vid auth refresh`. */
export const authRefreshCommand = defineCommand({
  path: 'auth refresh',
  summary: 'Exchange the token of the sign-in for a new one, even if it has not expired.',
  options: outputOptions,
  async run({ env, signal }) {
    const [{ apiUrlOf }, { forceRefresh }] = await Promise.all([
      import('../../credentials/place.ts'),
      import('../../credentials/refresh.ts'),
    ])
    const url = apiUrlOf(env)
    const { expiresAtMs } = await forceRefresh({ env, url }, signal)
    return { url, expires_at: expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString() }
  },
  text: ({ expires_at: expires }) => `refreshed${expires === null ? '' : `; the token is valid until ${expires}`}`,
})
