import { isVidError } from '@vid/protocol'
import { withRetries } from '../http/retries.ts'
import type { CloudConnection } from './connection.ts'

/**
 * Deletes the object at a path; on a retry, a missing object counts as deleted, because only the reply may have been
 * lost.
 */
export const deleteResource = async (connection: CloudConnection, path: string, signal: AbortSignal): Promise<void> => {
  let isAgain = false
  await withRetries(connection, signal, async () => {
    try {
      const reply = await connection.send({ method: 'DELETE', path, signal })
      reply.drop()
    } catch (thrown) {
      if (isAgain && isVidError(thrown) && thrown.facts.status === 404) return
      isAgain = true
      throw thrown
    }
  })
}
