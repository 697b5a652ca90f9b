import type { OptionTable } from './option.ts'
import { settingOption } from './setting-option.ts'

const UNITS: Readonly<Record<string, number>> = { k: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }

/** A size of at least `min`, such as 256M: its value is a number of bytes. */
export const size = (about: string, min: string, standard: string) => {
  const bytesOf = (text: unknown): number | undefined => {
    const [, digits, unit = ''] = /^([1-9]\d{0,8})([kMG]?)$/.exec(String(text)) ?? []
    return digits === undefined ? undefined : Number(digits) * (UNITS[unit] ?? 1)
  }
  const least = bytesOf(min) ?? 0
  const read = (text: unknown) => {
    const bytes = bytesOf(text)
    return bytes !== undefined && bytes >= least ? bytes : undefined
  }
  return { kind: 'text', rule: `a size such as 8G, at least ${min}`, read, about, default: standard } as const
}

/** A timer holds no more than about this. */
const HALF_MONTH_S = 15 * 24 * 3600

/** A time in whole seconds. */
export const seconds = (about: string, standard: number, min = 1, max = HALF_MONTH_S) =>
  ({ kind: 'integer', min, max, about, default: String(standard) }) as const

const HOST = String.raw`(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)`
const list = (item: string) => new RegExp(`^ *${item} *(?:, *${item} *)*$`)

/** Port and address of a server. */
export const bindingOptions = (port: number) =>
  ({
    port: {
      kind: 'integer',
      min: 0,
      max: 65535,
      about: 'port to listen on; 0 for any free port',
      default: String(port),
    },
    host: { kind: 'text', rule: 'an address', about: 'address to listen on', default: '127.0.0.1' },
  }) as const

/** What every server of renders has in common. */
export const serverOptions = {
  network: { ...settingOption('network'), about: 'what pages may fetch at most', default: 'declared' },
  memory: size('memory for all renders together', '256M', 'that of the machine'),
  'allowed-hosts': {
    kind: 'text',
    rule: 'host names such as render.example, without ports, separated by commas',
    pattern: list(HOST),
    about: 'host names of the server, besides those of the loopback',
  },
  'allowed-origins': {
    kind: 'text',
    rule: 'origins such as https://studio.example, separated by commas',
    pattern: list(`https?://${HOST}(?::\\d{1,5})?`),
    about: 'web pages that may use the server',
  },
  'log-level': {
    kind: 'choice',
    choices: ['silent', 'error', 'warn', 'info', 'debug'],
    about: 'log level of the JSON lines on stderr',
    default: 'info',
  },
  json: { kind: 'switch', about: 'one JSON object on stdout when the server listens' },
} as const satisfies OptionTable

/** The items of a list with commas. */
export const itemsOf = (text: string | undefined): string[] | undefined =>
  text
    ?.split(',')
    .map((word) => word.trim())
    .filter(Boolean)

/** Seconds of an option as milliseconds. */
export const milliseconds = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : value * 1000
