import type { OptionTable } from '@vid/command'
import { adminOptions } from '../admin/options.ts'

const MAX_WEIGHT = 1000

const MAX_COUNT = 1_000_000
const UNITS: Readonly<Record<string, number>> = { k: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }

const readSize = (text: unknown): number | undefined => {
  const [, digits, unit = ''] = /^(\d{1,9})([kMG]?)$/.exec(String(text)) ?? []
  return digits === undefined ? undefined : Number(digits) * (UNITS[unit] ?? 1)
}

const readSeconds = (text: unknown): number | 'none' | undefined => {
  if (text === 'none') return text
  return /^\d{1,9}(\.\d{1,3})?$/.test(String(text)) ? Number(text) : undefined
}

/** Every option of `vid cloud accounts create`. */
export const accountsCreateOptions = {
  email: { kind: 'text', rule: 'an e-mail address', about: 'for the sign-in page' },
  name: { kind: 'text', rule: 'a name', about: 'name of the account' },
  password: {
    kind: 'switch',
    about: 'ask for a password for the sign-in page, or read it from stdin: at least 12 characters',
  },
  'no-key': { kind: 'switch', about: 'create no API key, for an account that signs in' },
  weight: {
    kind: 'integer',
    min: 1,
    max: MAX_WEIGHT,
    about: 'share of the workers, relative to other accounts',
    default: '1',
  },
  ...adminOptions,
} as const satisfies OptionTable

const { email, name, password, weight } = accountsCreateOptions
const { default: _, ...weightFlag } = weight

/** Every option of `vid cloud accounts change`. */
export const changeOptions = {
  email,
  name,
  password,
  weight: weightFlag,
  'max-open-renders': {
    kind: 'integer',
    min: 0,
    max: MAX_COUNT,
    about: 'renders that may wait or run at once',
  },
  'max-requests': { kind: 'integer', min: 0, max: MAX_COUNT, about: 'requests per minute' },
  'max-upload': {
    kind: 'text',
    rule: 'a size such as 500M',
    read: readSize,
    about: 'largest zip of a project',
  },
  'max-billed-seconds': {
    kind: 'text',
    rule: 'a number of seconds, or none',
    read: readSeconds,
    about: 'limit of billed seconds of video per month',
  },
  'max-render-seconds': {
    kind: 'text',
    rule: 'a number of seconds, or none',
    read: readSeconds,
    about: 'limit of worker seconds for one render',
  },
  'max-frame-seconds': {
    kind: 'text',
    rule: 'a number of seconds, or none',
    read: readSeconds,
    about: 'limit of worker seconds per frame, on average',
  },
  'result-ttl': {
    kind: 'text',
    rule: 'a number of seconds, or none',
    read: readSeconds,
    about: 'how long results are kept after the end of their render; none for as long as the server says',
  },
  ...adminOptions,
} as const satisfies OptionTable
