/** Keeps workers that do not work from taking jobs, and jobs from workers on which they failed. */
export const sickWorkers = /* sql */ `
-- The part of the worker that does not work; it takes no jobs meanwhile.
ALTER TABLE vid.workers ADD COLUMN problem text;

-- Failures of jobs that may come of the worker. A crash may lose them.
CREATE UNLOGGED TABLE vid.job_faults (
  job_id uuid NOT NULL,
  worker_id text NOT NULL REFERENCES vid.workers(id) ON DELETE CASCADE,
  failed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (job_id, worker_id)
);
CREATE INDEX job_faults_worker ON vid.job_faults (worker_id);
CREATE INDEX job_faults_time ON vid.job_faults (failed_at);
`
