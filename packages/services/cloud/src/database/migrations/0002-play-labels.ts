/**
 * Finds the page of a host label under which a composition is played; `hostLabelOf` in publish/play-address.ts computes the
 * same label from a token.
 */
export const playLabels = /* sql */ `
CREATE UNIQUE INDEX publications_play_label ON vid.publications
  ((substr(encode(sha256(token::bytea), 'hex'), 1, 32))) WHERE unpublished_at IS NULL;
`
