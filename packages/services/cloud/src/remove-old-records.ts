import { removeOldAttempts } from './accounts/attempts.ts'
import { removeExpiredItems } from './accounts/oauth-items.ts'
import type { Sql } from './database/database.ts'
import { removeOldDeliveries } from './webhooks/deliveries.ts'

/** Removes expired tokens and sessions, sign-in attempts of past windows, and old webhook deliveries. */
export const removeOldRecords = async (sql: Sql): Promise<void> => {
  await removeExpiredItems(sql)
  await removeOldAttempts(sql)
  await removeOldDeliveries(sql)
}
