/** Videos that are played while they are rendered. */
export const streams = /* sql */ `
ALTER TABLE vid.renders
  -- The attempt whose video can be played; null before its first segment.
  ADD COLUMN stream_attempt integer;
CREATE TABLE vid.streams (
  render_id text NOT NULL REFERENCES vid.renders(id) ON DELETE CASCADE,
  attempt integer NOT NULL,
  -- How many segments of the plan its playlists list; they never list fewer.
  segments integer NOT NULL DEFAULT 0,
  -- Whether these are all.
  is_complete boolean NOT NULL DEFAULT false,
  -- Texts of its playlists by name, which belong together.
  playlists jsonb NOT NULL DEFAULT '{}',
  -- Names of its other files, which are in the storage.
  files jsonb NOT NULL DEFAULT '[]',
  -- How often it could not be published.
  failures integer NOT NULL DEFAULT 0,
  PRIMARY KEY (render_id, attempt)
);
-- Workers that publish; a video whose worker is gone is published by another one.
CREATE TABLE vid.stream_holders (
  render_id text NOT NULL,
  attempt integer NOT NULL,
  worker_id text NOT NULL REFERENCES vid.workers(id) ON DELETE CASCADE,
  PRIMARY KEY (render_id, attempt)
);
CREATE INDEX ON vid.stream_holders (worker_id);
`
