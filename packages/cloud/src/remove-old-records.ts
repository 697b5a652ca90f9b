import { removeOldAttempts } from './accounts/attempts.ts'
import { removeExpiredItems } from './accounts/oauth-items.ts'
import type { Sql } from './database/database.ts'
import { removeOldDeliveries } from './webhooks/deliveries.ts'

/** Removes expired tokens and sign-ins, attempts that no longer count, and deliveries that ended long ago. */
export const removeOldRecords = async (sql: Sql): Promise<void> => {
  await removeExpiredItems(sql)
  await removeOldAttempts(sql)
  await removeOldDeliveries(sql)
}
