/** Whether a page plays its composition, which makes the composition's files public; true for existing pages. */
export const playChoice = /* sql */ `
ALTER TABLE vid.publications ADD COLUMN play boolean NOT NULL DEFAULT true;
`
