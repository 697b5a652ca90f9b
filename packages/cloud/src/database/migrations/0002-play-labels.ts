/** Finds the page whose composition is played under a name: `labelOf` in publish/play-address.ts makes the same of a token. */
export const playLabels = /* sql */ `
CREATE UNIQUE INDEX publications_play_label ON vid.publications
  ((substr(encode(sha256(token::bytea), 'hex'), 1, 32))) WHERE unpublished_at IS NULL;
`
