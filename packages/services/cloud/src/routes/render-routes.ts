import {
  CloudPageSchema,
  CloudRecordSchema,
  type CloudRender,
  CloudRenderIdSchema,
  CloudRenderInputSchema,
  CloudRenderSchema,
  CloudReplySchema,
  type CloudSubmitted,
  CloudSubmittedSchema,
} from '@vid/client/contract'
import { Type, Value } from '@vid/protocol'
import { clientGone } from '@vid/server'
import { deleteRender } from '../renders/delete.ts'
import { readAccountRender, readPage, recordOf } from '../renders/records.ts'
import { acceptSubmission } from '../renders/submit.ts'
import type { CloudParts } from './parts.ts'
import { keyHeaders } from './schemas.ts'

const PAGE = 20
const MAX_PAGE = 100

const DeletedSchema = Type.Object({ render_id: CloudRenderIdSchema, deleted: Type.Literal(true) })

// An id of another format does not exist.
const params = Type.Object({ render_id: Type.String() })

const described = (operationId: string, summary: string) => ({ operationId, summary, tags: ['renders'] })

const addSubmission = (parts: CloudParts): void => {
  const { app, metrics } = parts
  app.post(
    '/v3/vid/renders',
    {
      config: { drains: true },
      schema: {
        ...described('createRender', 'Have a project rendered'),
        headers: keyHeaders,
        body: CloudRenderInputSchema,
        response: { 202: CloudReplySchema(CloudSubmittedSchema) },
      },
    },
    async (request, reply) => {
      const { owner: accountId, headers, body } = request
      const submission = {
        accountId,
        key: headers['idempotency-key'],
        signal: clientGone(reply),
        render: Value.Default(CloudRenderSchema, Value.Clone(body)) as CloudRender,
      }
      const { body: answer, isReplay } = await acceptSubmission(submission, parts)
      if (isReplay) reply.header('idempotency-replayed', 'true')
      else metrics.accepted()
      return reply.code(202).send(answer as { readonly data: CloudSubmitted })
    },
  )
}

const addRecords = ({ app, database, storage, streams, settings }: CloudParts): void => {
  const addresses = { storage, streams, ttlMs: settings.addressTtlMs }
  app.get(
    '/v3/vid/renders',
    {
      schema: {
        ...described('listRenders', 'The renders of the account, the latest first'),
        querystring: Type.Object({
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE })),
          token: Type.Optional(Type.String({ maxLength: 200, description: 'next_token of the previous page' })),
        }),
        response: { 200: CloudPageSchema },
      },
    },
    async ({ owner, query: { limit = PAGE, token } }) => readPage(database, owner, { limit, token }, addresses),
  )
  app.get(
    '/v3/vid/renders/:render_id',
    {
      schema: {
        ...described('getRender', 'How a render is, with fresh addresses of its results'),
        params,
        response: { 200: CloudReplySchema(CloudRecordSchema) },
      },
    },
    async ({ owner, params: { render_id } }) => ({
      data: await recordOf(await readAccountRender(database, owner, render_id), addresses),
    }),
  )
}

const addDeletion = ({ app, database }: CloudParts): void => {
  app.delete(
    '/v3/vid/renders/:render_id',
    {
      schema: {
        ...described('deleteRender', 'Delete a render; one that waits or runs is cancelled'),
        params,
        response: { 200: CloudReplySchema(DeletedSchema) },
      },
    },
    async ({ owner, params: { render_id } }) => {
      await deleteRender(database, owner, render_id)
      return { data: { render_id, deleted: true as const } }
    },
  )
}

/** Adds the routes that accept renders and report their state. */
export const addRenderRoutes = (parts: CloudParts): void => {
  addSubmission(parts)
  addRecords(parts)
  addDeletion(parts)
}
