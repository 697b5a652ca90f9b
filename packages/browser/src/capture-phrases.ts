/** Names a line of a script in the words of a message; empty where it is not known. */
export const where = (facts: { source?: string | undefined; line?: number | undefined }) =>
  facts.source === undefined ? '' : ` (${facts.source}${facts.line === undefined ? '' : `:${facts.line}`})`

/** What gives a browser its sandbox. */
export const ALLOW_SANDBOX = 'Render as an ordinary user, and let this machine or container create user namespaces.'
