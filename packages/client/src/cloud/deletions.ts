import { isVidError } from '@vid/kernel'
import { withRetries } from '../http/retries.ts'
import type { CloudConnection } from './connection.ts'

/** Deletes what is at a path; when a reply was lost on its way, what is gone has been deleted by then. */
export const removeThere = async (connection: CloudConnection, path: string, signal: AbortSignal): Promise<void> => {
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
