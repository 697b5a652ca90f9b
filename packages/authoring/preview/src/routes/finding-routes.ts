import { clientGone } from '@vid/server'
import { API } from '../api-paths.ts'
import { type ChangesBody, ChangesBodySchema, type FindingsBody, FindingsBodySchema } from '../findings-api.ts'
import { operation } from './operation.ts'
import type { PreviewParts } from './parts.ts'

/** Adds what looks at a whole composition in the background: findings of `vid check`, and frames that have changed. */
export const addFindingRoutes = ({ app, findings, changes, revision, signal }: PreviewParts): void => {
  app.post<{ Body: FindingsBody }>(
    API.findings,
    { schema: operation('findFindings', { body: FindingsBodySchema }) },
    async ({ body }, reply) => {
      const result = await findings(body, AbortSignal.any([signal, clientGone(reply)]))
      return { revision: revision(), ...result }
    },
  )
  app.post<{ Body: ChangesBody }>(
    API.changes,
    { schema: operation('findChanges', { body: ChangesBodySchema }) },
    async ({ body }, reply) => {
      const result = await changes(body, AbortSignal.any([signal, clientGone(reply)]))
      return { revision: revision(), ...result }
    },
  )
}
