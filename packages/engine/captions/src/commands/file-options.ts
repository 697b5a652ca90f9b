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

/** The language of captions; each command says in its own words whose that is. */
export const languageOption = {
  kind: 'text',
  rule: 'a language tag such as en or pt-BR',
  pattern: /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/,
  about: 'language of the captions',
} as const satisfies OptionTable[string]
