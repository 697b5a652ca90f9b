import { defineCommand, outputOptions } from '@vid/command'

/** `vid auth status`. */
export const authStatusCommand = defineCommand({
  path: 'auth status',
  summary: 'Show the credential in use, its account, and the usage of this month.',
  options: outputOptions,
  async run({ env, signal }) {
    const [{ createCloudClient }, { apiUrlOf }, { resolveCredential }] = await Promise.all([
      import('../../../cloud/client.ts'),
      import('../../../credentials/place.ts'),
      import('../../../credentials/resolve.ts'),
    ])
    const url = apiUrlOf(env)
    const { credential, source, expiresAtMs } = await resolveCredential({ env, url })
    const client = createCloudClient({ url, credential })
    try {
      const user = await client.me({ signal })
      return { url, source, expires_at: expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString(), user }
    } finally {
      await client.close()
    }
  },
  text: async (result) => (await import('./status-text.ts')).statusText(result),
})
