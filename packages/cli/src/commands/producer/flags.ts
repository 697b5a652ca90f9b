import type { FlagTable } from '../../flags/flag.ts'
import { settingFlag } from '../../flags/setting-flag.ts'

const UNITS: Readonly<Record<string, number>> = { k: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }

/** A size of at least `min`, such as 256M: its value is a number of bytes. */
const size = (about: string, min: string, standard: string) => {
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

const HALF_MONTH_S = 15 * 24 * 3600

const seconds = (about: string, standard: number, min = 1) =>
  ({ kind: 'integer', min, max: HALF_MONTH_S, about, default: String(standard) }) as const

const HOST = String.raw`(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)`
const listOf = (item: string) => new RegExp(`^ *${item} *(?:, *${item} *)*$`)

/** Every flag of `vid producer`. */
export const producerFlags = {
  port: {
    kind: 'integer',
    min: 0,
    max: 65535,
    about: 'port to listen on, 0 for any that is free',
    default: '9847',
  },
  host: { kind: 'text', rule: 'an address', about: 'address to listen on', default: '127.0.0.1' },
  'max-concurrent-renders': {
    kind: 'integer',
    min: 1,
    max: 10,
    about: 'renders at once; also in PRODUCER_MAX_CONCURRENT_RENDERS',
    default: '2',
  },
  'max-queue': {
    kind: 'integer',
    min: 0,
    max: 100_000,
    about: 'requests that may wait; more are refused',
    default: '1000',
  },
  state: { kind: 'text', rule: 'a path', about: 'folder that keeps accepted requests when the process ends' },
  root: {
    kind: 'text',
    rule: 'a path',
    about: 'folder in which requests may name compositions',
    default: '.',
  },
  'output-root': {
    kind: 'text',
    rule: 'a path',
    about: 'folder in which requests may name outputs',
    default: '<root>/renders',
  },
  network: { ...settingFlag('network'), about: 'what pages may have fetched at most', default: 'declared' },
  memory: size('memory for all renders together', '256M', 'that of the machine'),
  'max-body': size('largest body of JSON', '1k', '16M'),
  'max-upload': size('largest zip of a project', '1k', '1G'),
  'render-timeout': seconds('longest time for a render, in seconds', 3600),
  'output-ttl': seconds('how long a result can be fetched, in seconds', 900),
  'drain-timeout': seconds('time for running renders after SIGTERM, in seconds', 30, 0),
  'allowed-hosts': {
    kind: 'text',
    rule: 'host names such as render.example, without ports, separated by commas',
    pattern: listOf(HOST),
    about: 'names of the server, beside those of the loopback',
  },
  'allowed-origins': {
    kind: 'text',
    rule: 'origins such as https://studio.example, separated by commas',
    pattern: listOf(`https?://${HOST}(?::\\d{1,5})?`),
    about: 'web pages that may use the server',
  },
  'log-level': {
    kind: 'choice',
    choices: ['silent', 'error', 'warn', 'info', 'debug'],
    about: 'what is logged, as JSON lines on stderr',
    default: 'info',
  },
  json: { kind: 'switch', about: 'one JSON object on stdout when the server listens' },
} as const satisfies FlagTable
