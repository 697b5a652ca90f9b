import type { OptionTable } from '@vid/command'

/** Options of commands that write captions to a file; each says in its own words what that is. */
export const fileOptions = {
  output: {
    kind: 'text',
    rule: 'a path that ends with .vtt or .srt',
    short: 'o',
    path: 'write',
    about: 'file to write',
  },
  force: { kind: 'switch', about: 'replace a file that exists' },
} as const satisfies OptionTable
