import { apiUrlOf, type CloudClient, createCloudClient, resolveCredential } from '@vid/client'
import type { CliContext } from '../flags/flag-command.ts'

/** Runs with a client of the hosted API that the environment names, with the credential in use. */
export const withCloud = async <T>(
  { env }: Pick<CliContext, 'env'>,
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
