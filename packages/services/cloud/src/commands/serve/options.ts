import { bindingOptions, type OptionTable, seconds, serverOptions, size } from '@vid/command'

/** Default port of the hosted API. */
export const CLOUD_PORT = 9848

/** Options that locate the database and the storage of a server, the same for every command about it. */
export const serverPlaceOptions = {
  state: {
    kind: 'text',
    rule: 'a path',
    about: 'folder for the data of this process; without DATABASE_URL, for all data',
    default: '.vid/cloud',
  },
  storage: {
    kind: 'text',
    rule: 'a folder, or an address such as s3://bucket/prefix?region=eu-central-1',
    about: 'where projects, segments and videos are kept',
    default: '<state>/files',
  },
} as const satisfies OptionTable

const YEAR_S = 365 * 24 * 3600

/** Every option of `vid cloud serve`. */
export const serveOptions = {
  ...bindingOptions(CLOUD_PORT),
  'public-url': {
    kind: 'text',
    rule: 'an address such as https://render.example, without a path',
    pattern: /^https?:\/\/[^/?#\s]+\/?$/,
    about: 'address at which clients reach the server',
    default: 'the address on which it listens',
  },
  'play-url': {
    kind: 'text',
    rule: 'an address such as https://*.videos.example, with * for a name',
    pattern: /^https?:\/\/\*\.[^/?#\s*]+\/?$/,
    about: 'separate domain on which pages play compositions, each under its own name',
    default: 'none; on a loopback address, names below localhost',
  },
  ...serverPlaceOptions,
  role: {
    kind: 'choice',
    choices: ['all', 'api', 'worker'],
    about: 'role of this process: answer requests, render, or both',
    default: 'all',
  },
  'database-connections': {
    kind: 'integer',
    min: 2,
    max: 1000,
    about: 'connections of this process to the Postgres of DATABASE_URL',
    default: '12',
  },
  target: { kind: 'text', rule: 'the name of a target', about: 'target of the config that renders' },
  preset: { kind: 'text', rule: 'the name of a preset', about: 'preset to start from' },
  'max-concurrent-renders': {
    kind: 'integer',
    min: 1,
    max: 10,
    about: 'renders at once in this process',
    default: '2',
  },
  'spread-segments': {
    kind: 'integer',
    min: 1,
    max: 100_000,
    about: 'segments above which a render is spread over all workers',
    default: '4',
  },
  'render-timeout': seconds('longest time for a render, or for a part of a spread one, in seconds', 7200),
  'drain-timeout': seconds('time for running renders after SIGTERM, in seconds', 30, 0),
  'shutdown-delay': {
    kind: 'integer',
    min: 0,
    max: 3600,
    about: 'time after SIGTERM in which the server still answers, with 503 at /ready for load balancers, in seconds',
    default: '5 with Postgres, otherwise 0',
  },
  'max-upload': size('largest zip of a project', '1k', '4G'),
  'segment-cache': size('size limit of finished segments in the storage', '1M', '50G'),
  'purge-after': seconds('how long files of deleted renders are kept, in seconds', 3600, 0, YEAR_S),
  'asset-ttl': seconds('how long an unused project is kept, in seconds', 30 * 24 * 3600, 60, YEAR_S),
  'result-ttl': {
    kind: 'integer',
    min: 60,
    max: 10 * YEAR_S,
    about: 'how long results are kept after the end of their render, in seconds; those with a page stay',
    default: 'none: until they are deleted',
  },
  'allow-private-addresses': {
    kind: 'switch',
    about: 'allow projects and callbacks at private addresses and without TLS',
  },
  'trusted-proxies': {
    kind: 'text',
    rule: 'addresses or ranges such as 10.0.0.0/8, separated by commas',
    about: 'proxies whose X-Forwarded-For is trusted',
  },
  'oidc-issuer': {
    kind: 'text',
    rule: 'an https address',
    about: 'OpenID provider at which people sign in, with VID_OIDC_CLIENT_ID and VID_OIDC_CLIENT_SECRET',
  },
  'oidc-create-accounts': {
    kind: 'switch',
    about: 'create an account for every user of the OpenID provider, not only sign in existing accounts',
  },
  ...serverOptions,
} as const satisfies OptionTable
