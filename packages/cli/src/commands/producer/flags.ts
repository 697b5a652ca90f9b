import type { FlagTable } from '../../flags/flag.ts'
import { settingFlag } from '../../flags/setting-flag.ts'

const UNITS: Readonly<Record<string, number>> = { k: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }

/** Bytes of a size such as 512M; undefined when it is none. */
const readBytes = (text: unknown): number | undefined => {
  const [, digits, unit = ''] = /^([1-9]\d{0,8})([kMG]?)$/.exec(String(text)) ?? []
  return digits === undefined ? undefined : Number(digits) * (UNITS[unit] ?? 1)
}

const LIST = { kind: 'text', rule: 'names, separated by commas' } as const
const MONTH_S = 30 * 24 * 3600

const seconds = (about: string, standard: number) =>
  ({ kind: 'integer', min: 0, max: MONTH_S / 2, about, default: String(standard) }) as const

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
  memory: {
    kind: 'text',
    rule: 'a size such as 8G',
    read: readBytes,
    about: 'memory for all renders together',
    default: 'that of the machine',
  },
  'max-body': {
    kind: 'text',
    rule: 'a size such as 16M',
    read: readBytes,
    about: 'largest body of JSON',
    default: '16M',
  },
  'max-upload': {
    kind: 'text',
    rule: 'a size such as 1G',
    read: readBytes,
    about: 'largest zip of a project',
    default: '1G',
  },
  'render-timeout': seconds('longest time for a render, in seconds', 3600),
  'output-ttl': seconds('how long a result can be fetched, in seconds', 900),
  'drain-timeout': seconds('time for running renders after SIGTERM, in seconds', 30),
  'allowed-hosts': { ...LIST, about: 'host names of the server, beside those of the loopback' },
  'allowed-origins': { ...LIST, about: 'origins of web pages that may use the server' },
  'log-level': {
    kind: 'choice',
    choices: ['silent', 'error', 'warn', 'info', 'debug'],
    about: 'what is logged, as JSON lines on stderr',
    default: 'info',
  },
  json: { kind: 'switch', about: 'one JSON object on stdout when the server listens' },
} as const satisfies FlagTable
