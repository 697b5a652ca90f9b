/** The initial schema. */
export const initialSchema = /* sql */ `
CREATE TABLE vid.settings (
  key text PRIMARY KEY,
  value jsonb NOT NULL
);

CREATE TABLE vid.accounts (
  id text PRIMARY KEY,
  email text UNIQUE,
  name text,
  password_hash text,
  -- Its share of the workers, compared with other accounts.
  weight double precision NOT NULL DEFAULT 1 CHECK (weight > 0),
  -- Fair queueing: the virtual time at which its latest render may start.
  last_tag double precision NOT NULL DEFAULT 0,
  max_open_renders integer NOT NULL DEFAULT 1000,
  requests_per_minute integer NOT NULL DEFAULT 6000,
  max_upload_bytes bigint NOT NULL DEFAULT 1073741824,
  -- All zips of its projects together.
  max_stored_bytes bigint NOT NULL DEFAULT 107374182400,
  max_billed_seconds double precision,
  webhook_secret text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz
);

CREATE TABLE vid.api_keys (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES vid.accounts(id) ON DELETE CASCADE,
  name text,
  -- Its first characters, by which people tell keys apart.
  shown text NOT NULL,
  -- SHA-256: a key is random and long.
  hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX ON vid.api_keys (account_id);

-- Sign-ins that were tried lately, counted by what the key is the SHA-256 of: an e-mail address, or a client's address.
CREATE TABLE vid.sign_in_attempts (
  key bytea PRIMARY KEY,
  count integer NOT NULL,
  began_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON vid.sign_in_attempts (began_at);

CREATE TABLE vid.oauth_items (
  model text NOT NULL,
  id text NOT NULL,
  payload jsonb NOT NULL,
  grant_id text,
  user_code text,
  uid text,
  expires_at timestamptz,
  consumed_at timestamptz,
  PRIMARY KEY (model, id)
);
CREATE INDEX ON vid.oauth_items (grant_id);
CREATE INDEX ON vid.oauth_items (uid);
CREATE INDEX ON vid.oauth_items (expires_at);

CREATE TABLE vid.assets (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES vid.accounts(id) ON DELETE CASCADE,
  -- SHA-256 of the manifest of the files in the zip.
  digest text NOT NULL,
  storage_key text NOT NULL,
  size_bytes bigint NOT NULL,
  unpacked_bytes bigint NOT NULL,
  files integer NOT NULL,
  source_url text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now()
);
-- A project is kept once for its account: what removes the row holds it locked until the zip is gone.
CREATE UNIQUE INDEX ON vid.assets (account_id, digest);
CREATE INDEX ON vid.assets (storage_key);
CREATE INDEX ON vid.assets (last_used_at);

CREATE TABLE vid.uploads (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES vid.accounts(id) ON DELETE CASCADE,
  size_bytes bigint NOT NULL,
  sha256 text NOT NULL,
  part_bytes integer NOT NULL,
  asset_id text REFERENCES vid.assets(id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX ON vid.uploads (expires_at);
CREATE INDEX ON vid.uploads (account_id);
CREATE TABLE vid.upload_parts (
  upload_id text NOT NULL REFERENCES vid.uploads(id) ON DELETE CASCADE,
  number integer NOT NULL,
  storage_key text NOT NULL,
  PRIMARY KEY (upload_id, number)
);

CREATE TABLE vid.renders (
  id text PRIMARY KEY,
  -- Order of acceptance, for pages and for the queue.
  sequence bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account_id text NOT NULL REFERENCES vid.accounts(id) ON DELETE CASCADE,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'rendering', 'completed', 'failed')),
  -- The checked body of the submission.
  request jsonb NOT NULL,
  asset_id text NOT NULL,
  project_digest text NOT NULL,
  project_key text NOT NULL,
  title text,
  callback_url text,
  callback_id text,
  -- Fair queueing: renders with lower tags start first.
  tag double precision NOT NULL DEFAULT 0,
  -- Counts how often work on it began anew: what an earlier attempt writes is refused.
  attempt integer NOT NULL DEFAULT 0,
  -- Number of segments that are jobs of their own; 0 for a render that is one job.
  segments integer NOT NULL DEFAULT 0,
  plan_key text,
  frames_rendered integer NOT NULL DEFAULT 0,
  total_frames integer NOT NULL DEFAULT 0,
  progress double precision NOT NULL DEFAULT 0,
  width integer,
  height integer,
  duration double precision,
  video_key text,
  video_bytes bigint,
  video_sha256 text,
  thumbnail_key text,
  failure_code text,
  failure_message text,
  warnings jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz,
  -- No longer seen by its owner; its files go a while later.
  deleted_at timestamptz,
  purged_at timestamptz
);
CREATE INDEX ON vid.renders (account_id, sequence DESC) WHERE deleted_at IS NULL;
CREATE INDEX ON vid.renders (status) WHERE status IN ('queued', 'rendering');
CREATE INDEX ON vid.renders (account_id) WHERE status IN ('queued', 'rendering');
CREATE INDEX ON vid.renders (deleted_at) WHERE deleted_at IS NOT NULL AND purged_at IS NULL;
CREATE INDEX ON vid.renders (project_key);

CREATE TABLE vid.render_segments (
  render_id text NOT NULL REFERENCES vid.renders(id) ON DELETE CASCADE,
  attempt integer NOT NULL,
  number integer NOT NULL,
  frames integer NOT NULL,
  frames_rendered integer NOT NULL DEFAULT 0,
  worker_id text,
  -- Keys in the storage of its files, one for each output; null until it is done.
  storage_keys jsonb,
  done_at timestamptz,
  PRIMARY KEY (render_id, attempt, number)
);

CREATE TABLE vid.workers (
  id text PRIMARY KEY,
  host text NOT NULL,
  version text NOT NULL,
  slots integer NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  last_seen timestamptz NOT NULL DEFAULT now()
);
-- Jobs that workers hold; those of a worker that is gone are given back.
CREATE TABLE vid.worker_jobs (
  job_id text PRIMARY KEY,
  worker_id text NOT NULL REFERENCES vid.workers(id) ON DELETE CASCADE,
  render_id text NOT NULL,
  kind text NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON vid.worker_jobs (worker_id);

CREATE TABLE vid.idempotency (
  account_id text NOT NULL REFERENCES vid.accounts(id) ON DELETE CASCADE,
  route text NOT NULL,
  key text NOT NULL,
  -- Of the checked body, or of the bytes of a zip; null until these have arrived.
  body_hash text,
  -- Null while the first request is answered.
  reply jsonb,
  reply_status integer,
  -- Which request has the key: one that lost it can no longer settle it.
  lock_id text NOT NULL,
  -- Until then the first request is believed to run; its process renews it.
  locked_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, route, key)
);
CREATE INDEX ON vid.idempotency (created_at);

-- Requests of accounts by the minute, over all processes. A crash may lose it.
CREATE UNLOGGED TABLE vid.request_counts (
  account_id text NOT NULL,
  minute bigint NOT NULL,
  requests integer NOT NULL,
  PRIMARY KEY (account_id, minute)
);

CREATE TABLE vid.usage (
  render_id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES vid.accounts(id) ON DELETE CASCADE,
  ended_at timestamptz NOT NULL DEFAULT now(),
  rendered_seconds double precision NOT NULL,
  billed_seconds double precision NOT NULL
);
CREATE INDEX ON vid.usage (account_id, ended_at);

CREATE TABLE vid.webhook_deliveries (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES vid.accounts(id) ON DELETE CASCADE,
  render_id text NOT NULL,
  event_type text NOT NULL,
  url text NOT NULL,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  last_status integer,
  last_error text,
  next_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  UNIQUE (render_id, event_type)
);
CREATE INDEX ON vid.webhook_deliveries (account_id, created_at DESC);
CREATE INDEX ON vid.webhook_deliveries (next_at) WHERE status = 'waiting';

CREATE TABLE vid.publications (
  id text PRIMARY KEY,
  -- Part of the page's address, which cannot be guessed.
  token text NOT NULL UNIQUE,
  account_id text NOT NULL REFERENCES vid.accounts(id) ON DELETE CASCADE,
  render_id text NOT NULL REFERENCES vid.renders(id) ON DELETE CASCADE,
  title text NOT NULL,
  public boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  unpublished_at timestamptz
);
CREATE INDEX ON vid.publications (account_id, created_at DESC);
-- One page for a render at a time.
CREATE UNIQUE INDEX ON vid.publications (render_id) WHERE unpublished_at IS NULL;
CREATE INDEX ON vid.publications (created_at DESC) WHERE public AND unpublished_at IS NULL;

-- The tag of the render that was started last.
INSERT INTO vid.settings (key, value) VALUES ('virtual_time', '0');
`
