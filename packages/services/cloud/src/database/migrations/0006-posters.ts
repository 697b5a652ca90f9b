/** Posters of renders, and what workers can encode. */
export const posters = /* sql */ `
ALTER TABLE vid.renders
  -- Key in the storage of its poster; null without one.
  ADD COLUMN poster_key text;
ALTER TABLE vid.workers
  -- Names of the codecs that its ffmpeg encodes; null for a worker of an older version.
  ADD COLUMN codecs jsonb;
`
