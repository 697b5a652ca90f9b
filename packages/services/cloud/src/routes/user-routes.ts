import { CloudReplySchema, CloudUserSchema } from '@vid/client/contract'
import { readAccount } from '../accounts/account-limits.ts'
import { credentialKind } from '../accounts/credential.ts'
import { largestZip } from '../projects/uploads.ts'
import { readUsage } from '../renders/usage.ts'
import type { CloudParts } from './parts.ts'

/** Adds the route with an account's own data. */
export const addUserRoutes = ({ app, database, settings }: CloudParts): void => {
  app.get(
    '/v3/users/me',
    {
      schema: {
        operationId: 'getUser',
        summary: 'The account of the credential, with its usage and limits',
        tags: ['users'],
        response: { 200: CloudReplySchema(CloudUserSchema) },
      },
    },
    async ({ owner, headers }) => {
      const account = await readAccount(database, owner)
      const usage = await readUsage(database, owner)
      return {
        data: {
          user_id: account.id,
          email: account.email,
          name: account.name,
          credential: credentialKind(headers),
          billing: {
            period_start: usage.start.toISOString(),
            period_end: usage.end.toISOString(),
            rendered_seconds: usage.renderedSeconds,
            billed_seconds: usage.billedSeconds,
            limit_seconds: account.billedSeconds,
          },
          limits: {
            open_renders: account.openRenders,
            upload_bytes: largestZip(account, settings),
            requests_per_minute: account.requestsPerMinute,
          },
        },
      }
    },
  )
}
