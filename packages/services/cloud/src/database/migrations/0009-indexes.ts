/** Indexes for questions that read whole tables without them. */
export const indexes = /* sql */ `
CREATE INDEX renders_purged ON vid.renders (purged_at) WHERE purged_at IS NOT NULL;
CREATE INDEX renders_cancelled ON vid.renders (deleted_at)
  WHERE deleted_at IS NOT NULL AND status IN ('queued', 'rendering');
CREATE INDEX renders_waiting ON vid.renders (created_at)
  WHERE status = 'queued' AND deleted_at IS NULL AND shapes IS NULL;
-- Removing the row of a render looks for its pages.
CREATE INDEX publications_render ON vid.publications (render_id);
CREATE INDEX webhook_deliveries_ended ON vid.webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX webhook_deliveries_latest ON vid.webhook_deliveries (created_at DESC, id);
CREATE INDEX webhook_deliveries_failed ON vid.webhook_deliveries (created_at DESC, id) WHERE status = 'failed';
`
