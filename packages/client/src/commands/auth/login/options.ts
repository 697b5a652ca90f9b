import { type OptionTable, outputOptions } from '@vid/command'

/** Every option of `vid auth login`. */
export const authLoginOptions = {
  'api-key': {
    kind: 'switch',
    about: 'store a key that is typed without echo, or read from stdin',
  },
  browser: {
    kind: 'switch',
    about: 'open the browser, --no-browser to print the address only',
    default: 'on',
  },
  ...outputOptions,
} as const satisfies OptionTable
