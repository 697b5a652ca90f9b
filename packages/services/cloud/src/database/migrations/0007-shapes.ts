/** Renders of several shapes: one row for what was submitted, and one for the video of each shape. */
export const shapes = /* sql */ `
ALTER TABLE vid.renders
  -- The render of several shapes that a video belongs to; null for what was submitted.
  ADD COLUMN parent_id text,
  -- How many shapes it has; null for a video. It has no jobs, and ends with the last of its videos.
  ADD COLUMN shapes integer;
CREATE INDEX ON vid.renders (parent_id) WHERE parent_id IS NOT NULL;
`
