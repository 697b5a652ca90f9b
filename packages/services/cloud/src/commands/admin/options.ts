/** Options of every command for operators. */
export const adminOptions = {
  state: {
    kind: 'text',
    rule: 'a path',
    about: 'state folder of the server; DATABASE_URL takes precedence',
    default: '.vid/cloud',
  },
  json: { kind: 'switch', about: 'one JSON object on stdout' },
} as const
