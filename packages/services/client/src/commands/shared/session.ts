import type { CommandRun } from '@vid/command'
import { type CloudClient, createCloudClient } from '../../cloud/client.ts'
import { apiUrlOf } from '../../credentials/place.ts'
import { resolveCredential } from '../../credentials/resolve.ts'

/** Runs work with a client of the hosted API that the environment selects, with the credential in use. */
export const withCloud = async <T>(
  { env }: Pick<CommandRun, 'env'>,
  work: (client: CloudClient) => Promise<T>,
): Promise<T> => {
  const url = apiUrlOf(env)
  const { credential } = await resolveCredential({ env, url })
  const client = createCloudClient({ url, credential })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}
