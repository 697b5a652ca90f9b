/**
 * Keeps the waiting jobs in the order in which they are taken, and the accounts that have any, so that taking one reads
 * neither the others nor all accounts. A trigger on the queue's table writes them, see `queue/waiting.ts`.
 */
export const waitingJobs = /* sql */ `
CREATE TABLE vid.waiting_jobs (
  job_id uuid PRIMARY KEY,
  -- Empty for a job whose render is gone.
  account_id text NOT NULL,
  render_id text NOT NULL,
  codec text NOT NULL,
  -- Place of its render in the order of acceptance.
  sequence bigint NOT NULL,
  -- Of a segment.
  number integer,
  created_on timestamptz NOT NULL,
  start_after timestamptz NOT NULL,
  is_due boolean NOT NULL
);
CREATE INDEX waiting_jobs_order ON vid.waiting_jobs (account_id, codec, sequence, number, created_on, job_id)
  WHERE is_due;
CREATE INDEX waiting_jobs_later ON vid.waiting_jobs (start_after) WHERE NOT is_due;
CREATE INDEX waiting_jobs_render ON vid.waiting_jobs (render_id);

-- Accounts with jobs that are due, by codec. Those who add a job share the lock of its row, which outlives the last job.
CREATE TABLE vid.waiting_accounts (
  account_id text NOT NULL,
  codec text NOT NULL,
  -- Place in the order of acceptance of the render with which its wait began.
  sequence bigint NOT NULL,
  PRIMARY KEY (account_id, codec)
);

CREATE FUNCTION vid.enter_waiting(for_account text, for_codec text, at_sequence bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    PERFORM 1 FROM vid.waiting_accounts WHERE account_id = for_account AND codec = for_codec FOR KEY SHARE;
    IF FOUND THEN RETURN; END IF;
    INSERT INTO vid.waiting_accounts VALUES (for_account, for_codec, at_sequence) ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN; END IF;
  END LOOP;
END $$;

CREATE FUNCTION vid.add_waiting_job(new_id uuid, content jsonb, created timestamptz, due timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  job vid.waiting_jobs;
BEGIN
  SELECT new_id, COALESCE(r.account_id, ''), COALESCE(content ->> 'renderId', ''),
    COALESCE(r.request ->> 'codec', 'h264'), COALESCE(r.sequence, 0), (content ->> 'number')::int, created, due,
    due < now()
  INTO job FROM (VALUES (1)) AS one LEFT JOIN vid.renders AS r ON r.id = content ->> 'renderId';
  IF job.is_due THEN PERFORM vid.enter_waiting(job.account_id, job.codec, job.sequence); END IF;
  INSERT INTO vid.waiting_jobs VALUES (job.*);
END $$;

CREATE FUNCTION vid.note_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.name = TG_ARGV[0] AND OLD.state < 'active' THEN
    DELETE FROM vid.waiting_jobs WHERE job_id = OLD.id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.name = TG_ARGV[0] AND NEW.state < 'active' THEN
    PERFORM vid.add_waiting_job(NEW.id, NEW.data, NEW.created_on, NEW.start_after);
  END IF;
  RETURN NULL;
END $$;
`
