/** The location of a script line, for a message; empty if it is unknown. */
export const where = (facts: { source?: string | undefined; line?: number | undefined }) =>
  facts.source === undefined ? '' : ` (${facts.source}${facts.line === undefined ? '' : `:${facts.line}`})`

/** Ways to enable a browser's sandbox. */
export const ALLOW_SANDBOX = 'Render as an ordinary user, and let this machine or container create user namespaces.'
