/** Whether a page plays its composition, whose files can then be read; those that were made before do. */
export const playChoice = /* sql */ `
ALTER TABLE vid.publications ADD COLUMN play boolean NOT NULL DEFAULT true;
`
