/** The oldest schema version whose processes can use this schema, and the version of vid that made it. */
export const usableFrom = /* sql */ `
ALTER TABLE vid.schema_version
  ADD COLUMN usable_from integer NOT NULL DEFAULT 0,
  ADD COLUMN made_by text NOT NULL DEFAULT '';
`
