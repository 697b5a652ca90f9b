import type { OptionTable } from '@vid/command'
import { bindingOptions, seconds, serverOptions, size } from '@vid/command'

/** Every option of `vid producer`. */
export const producerOptions = {
  ...bindingOptions(9847),
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
  'max-body': size('largest body of JSON', '1k', '16M'),
  'max-upload': size('largest zip of a project', '1k', '1G'),
  'render-timeout': seconds('longest time for a render, in seconds', 3600),
  'output-ttl': seconds('how long a result can be fetched, in seconds', 900),
  'drain-timeout': seconds('time for running renders after SIGTERM, in seconds', 30, 0),
  ...serverOptions,
} as const satisfies OptionTable
