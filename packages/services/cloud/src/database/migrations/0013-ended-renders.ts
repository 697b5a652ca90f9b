/** Sums of usage by month, the time after which results end, and which ended renders have no work in progress left. */
export const endedRenders = /* sql */ `
-- Usage of renders that have ended a while ago; the others have rows in vid.usage.
CREATE TABLE vid.usage_months (
  account_id text NOT NULL REFERENCES vid.accounts(id) ON DELETE CASCADE,
  -- Its first day, UTC.
  month date NOT NULL,
  rendered_seconds double precision NOT NULL,
  billed_seconds double precision NOT NULL,
  PRIMARY KEY (account_id, month)
);
-- How long results are kept after the end of their render; null for as long as the server says.
ALTER TABLE vid.accounts ADD COLUMN result_ttl_seconds double precision;
-- When the segments of a render that has ended were removed, and videos that nobody plays any more.
ALTER TABLE vid.renders ADD COLUMN tidied_at timestamptz;
`

/** Indexes for what a sweep looks for among all renders. */
export const endedRenderIndexes = {
  renders_untidied: 'vid.renders (completed_at) WHERE tidied_at IS NULL AND completed_at IS NOT NULL',
  renders_ended: 'vid.renders (account_id, completed_at) WHERE deleted_at IS NULL AND completed_at IS NOT NULL',
  renders_ended_lately: 'vid.renders (completed_at) WHERE deleted_at IS NULL AND completed_at IS NOT NULL',
  usage_ended: 'vid.usage (ended_at)',
  renders_open_projects: `vid.renders (project_key) WHERE status IN ('queued', 'rendering')`,
} as const
