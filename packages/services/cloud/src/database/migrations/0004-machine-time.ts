/**
 * Shares workers among accounts by the time that their jobs take, and limits the cost of a render to what its account
 * allows.
 */
export const machineTime = /* sql */ `
ALTER TABLE vid.accounts
  -- Fair queueing: seconds that its jobs held a slot, divided by its weight. One that comes back begins at the clock.
  ADD COLUMN used_seconds double precision NOT NULL DEFAULT 0,
  -- Longest time that the jobs of one render may hold slots, together; null for no limit.
  ADD COLUMN max_render_seconds double precision DEFAULT 28800,
  -- The same for a frame, on average over the frames that a job has rendered.
  ADD COLUMN max_frame_seconds double precision DEFAULT 10,
  DROP COLUMN last_tag;
ALTER TABLE vid.renders
  -- How long its jobs held slots, without those that run.
  ADD COLUMN machine_seconds double precision NOT NULL DEFAULT 0,
  -- How often its jobs gave way to those of other accounts.
  ADD COLUMN yields integer NOT NULL DEFAULT 0,
  DROP COLUMN tag;
ALTER TABLE vid.worker_jobs
  -- What the job is taken to need until it has run for longer, in seconds.
  ADD COLUMN cost double precision NOT NULL DEFAULT 0;
CREATE INDEX ON vid.worker_jobs (render_id);
`
