import { findAccount } from '../accounts/accounts.ts'
import type { Sql } from '../database/database.ts'
import { fail } from '../errors.ts'

/** A notification about the end of a render, delivered or waiting. */
export interface WebhookDelivery {
  readonly id: string
  readonly accountId: string
  readonly renderId: string
  readonly eventType: string
  /** Without its query, which often contains a secret. */
  readonly url: string
  readonly status: 'waiting' | 'delivered' | 'failed'
  readonly attempts: number
  /** HTTP status of the last reply; null without one. */
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** Time of the next attempt; null if it has ended. */
  readonly nextAt: Date | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}

/** Filters deliveries. */
export interface DeliveryFilter {
  readonly account?: string | undefined
  /** Only failed deliveries. */
  readonly failed?: boolean | undefined
  readonly limit?: number | undefined
}

const COLUMNS = `id, account_id AS "accountId", render_id AS "renderId", event_type AS "eventType",
  split_part(url, '?', 1) AS url, status, attempts, last_status AS "lastStatus", last_error AS "lastError",
  CASE WHEN status = 'waiting' THEN next_at END AS "nextAt", created_at AS "createdAt", ended_at AS "endedAt"`

const LISTED = 100
const FAILED = `status = 'failed'`

/** Lists deliveries, latest first. */
export const listDeliveries = async (sql: Sql, filter: DeliveryFilter = {}): Promise<WebhookDelivery[]> => {
  const { account, failed = false, limit = LISTED } = filter
  const values = account === undefined ? [limit] : [limit, (await findAccount(sql, account)).id]
  const conditions = ['true', ...(account === undefined ? [] : ['account_id = $2']), ...(failed ? [FAILED] : [])]
  return sql.rows<WebhookDelivery>(
    `SELECT ${COLUMNS} FROM vid.webhook_deliveries
     WHERE ${conditions.join(' AND ')} ORDER BY created_at DESC, id LIMIT $1`,
    values,
  )
}

/** Starts a delivery again with all its attempts, even if it was delivered. */
export const retryDelivery = async (sql: Sql, id: string): Promise<WebhookDelivery> => {
  const [delivery] = await sql.rows<WebhookDelivery>(
    `UPDATE vid.webhook_deliveries SET status = 'waiting', attempts = 0, next_at = now(), ended_at = NULL
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id],
  )
  if (!delivery) throw fail('VID_CLOUD_DELIVERY_MISSING', { delivery: id })
  return delivery
}

/** Removes deliveries that ended long ago, and those whose turn never came: their receiver has failed since then. */
export const removeOldDeliveries = async (sql: Sql, days = 30): Promise<void> => {
  const before = "now() - $1 * interval '1 day'"
  await sql.run(`DELETE FROM vid.webhook_deliveries WHERE ended_at < ${before}`, [days])
  await sql.run(`DELETE FROM vid.webhook_deliveries WHERE status = 'waiting' AND next_at < ${before}`, [days])
}
