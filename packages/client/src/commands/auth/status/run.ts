import type { CommandRun, outputOptions } from '@vid/command'
import { createCloudClient } from '../../../cloud/client.ts'
import { apiUrlOf } from '../../../credentials/place.ts'
import { resolveCredential } from '../../../credentials/resolve.ts'

/** `vid auth status`: the credential in use, as the API knows it. */
export const runAuthStatus = async ({ env, signal }: CommandRun<typeof outputOptions>) => {
  const url = apiUrlOf(env)
  const { credential, source, expiresAtMs } = await resolveCredential({ env, url })
  const client = createCloudClient({ url, credential })
  try {
    const user = await client.me({ signal })
    return { url, source, expires_at: expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString(), user }
  } finally {
    await client.close()
  }
}
