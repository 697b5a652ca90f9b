import type { Sql } from '../database/database.ts'
import { newId } from '../ids.ts'

/**
 * Queues the webhook of a render; called in the transaction that ends the render, so that none is missed. Does nothing
 * for a render without a callback, or with a queued webhook.
 */
export const queueWebhook = async (sql: Sql, renderId: string): Promise<void> => {
  await sql.run(
    `INSERT INTO vid.webhook_deliveries (id, account_id, render_id, event_type, url)
     SELECT $2, account_id, id, 'vid_render.' || status, callback_url FROM vid.renders
     WHERE id = $1 AND callback_url IS NOT NULL AND status IN ('completed', 'failed') AND deleted_at IS NULL
     ON CONFLICT (render_id, event_type) DO NOTHING`,
    [renderId, newId('hook')],
  )
}
