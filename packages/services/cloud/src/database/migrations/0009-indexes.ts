/** Indexes, built while the tables are used, for questions that read whole tables without them. */
export const indexes = {
  renders_purged: 'vid.renders (purged_at) WHERE purged_at IS NOT NULL',
  renders_cancelled: `vid.renders (deleted_at) WHERE deleted_at IS NOT NULL AND status IN ('queued', 'rendering')`,
  renders_waiting: `vid.renders (created_at) WHERE status = 'queued' AND deleted_at IS NULL AND shapes IS NULL`,
  // Removing the row of a render looks for its pages.
  publications_render: 'vid.publications (render_id)',
  webhook_deliveries_ended: 'vid.webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL',
  webhook_deliveries_latest: 'vid.webhook_deliveries (created_at DESC, id)',
  webhook_deliveries_failed: `vid.webhook_deliveries (created_at DESC, id) WHERE status = 'failed'`,
} as const
