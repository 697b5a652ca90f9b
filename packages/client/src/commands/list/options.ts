import { type OptionTable, outputOptions } from '@vid/command'

/** Every option of `vid cloud list`. */
export const cloudListOptions = {
  limit: { kind: 'integer', min: 1, max: 100, about: 'renders of a page', default: '20' },
  token: {
    kind: 'text',
    rule: 'the token that an earlier page printed',
    pattern: /^\S{1,2000}$/,
    about: 'the page to show',
    default: 'the latest',
  },
  all: { kind: 'switch', about: 'every page' },
  ...outputOptions,
} as const satisfies OptionTable
