import { type Static, schemaProblems, Type, Value } from '@vid/kernel'
import { fail } from './errors.ts'

const MIB = 2 ** 20
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A timer holds no more. */
const MAX_MS = 2 ** 31 - 1

const Milliseconds = (standard: number) => Type.Integer({ minimum: 100, maximum: MAX_MS, default: standard })
const Bytes = (standard: number) => Type.Integer({ minimum: 1024, default: standard })

/** What the API of a hosted server can be started with; the worker has its own settings. */
export const CloudSettingsSchema = Type.Object(
  {
    /** Address at which clients reach the server, without a slash at the end; that on which it listens if left out. */
    publicUrl: Type.Optional(Type.String({ pattern: '^https?://[^/?#\\s]+$' })),
    /** Where pages play compositions, each under a name of its own in place of the `*`, such as `https://*.films.example`. */
    playUrl: Type.Optional(Type.String({ pattern: '^https?://\\*\\.[^/?#\\s*]+$' })),
    /** Largest zip of any account, which may have a lower limit of its own. */
    uploadBytes: Bytes(4096 * MIB),
    /** Bytes of each part of an upload but the last. */
    partBytes: Type.Integer({ minimum: 1024, maximum: 1024 * MIB, default: 8 * MIB }),
    /** How long an upload can be continued. */
    uploadTtlMs: Milliseconds(24 * HOUR_MS),
    /** Most that projects which arrive take on the disk of this process. */
    heldUploadBytes: Bytes(16 * 1024 * MIB),
    /** Largest project, unpacked. */
    unpackedBytes: Bytes(4096 * MIB),
    /** Most files of a project. */
    unpackedFiles: Type.Integer({ minimum: 1, default: 20_000 }),
    /** Most that unpacked projects take on disk which nobody uses at the moment. */
    projectCacheBytes: Type.Integer({ minimum: 0, default: 8 * 1024 * MIB }),
    /** Largest body of JSON. */
    bodyBytes: Bytes(4 * MIB),
    /** Longest time for a connection to send a request. */
    requestTimeoutMs: Milliseconds(30 * MINUTE_MS),
    /** Longest time to fetch a project by its address. */
    fetchTimeoutMs: Milliseconds(5 * MINUTE_MS),
    /** How long a signed address works. */
    addressTtlMs: Milliseconds(HOUR_MS),
    /** How long a request is believed to run whose process says nothing more. */
    replyLockMs: Milliseconds(30_000),
    /** Allows projects and callbacks at private addresses and without TLS: for a server without strangers. */
    allowPrivateAddresses: Type.Boolean({ default: false }),
    /** Most requests a minute of one address without a credential; those of accounts have their own limit. */
    publicRequestsPerMinute: Type.Integer({ minimum: 1, default: 6000 }),
    /** Most wrong credentials a minute of one address. */
    wrongCredentialsPerMinute: Type.Integer({ minimum: 1, default: 20 }),
    /** Proxies in front, as addresses or ranges, whose X-Forwarded-For says which address a request comes from. */
    trustedProxies: Type.Array(Type.String(), { default: [] }),
    /** What `GET /metrics` is read with; without it only a server that is reached by a loopback address gives them. */
    metricsToken: Type.Optional(Type.String({ minLength: 16 })),
    /** Names of the server that requests may carry as their Host, beside that of `publicUrl` and the loopback. */
    allowedHosts: Type.Array(Type.String({ pattern: '^(?:\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9._-]+)$' }), {
      default: [],
    }),
    /** Origins of web pages that may use the server, such as `https://studio.example`. */
    allowedOrigins: Type.Array(Type.String({ pattern: '^https?://[^/?#\\s]+$' }), { default: [] }),
  },
  { additionalProperties: false },
)

/** Settings of the API with their defaults filled in; sizes in bytes. */
export type CloudSettings = Readonly<Static<typeof CloudSettingsSchema>>

/** Whether two hosts are one, or one is below the other: such hosts can share cookies. */
const areRelated = (first: string, other: string): boolean =>
  `.${first}`.endsWith(`.${other}`) || `.${other}`.endsWith(`.${first}`)

const playProblems = ({ playUrl, publicUrl }: CloudSettings): string[] => {
  if (playUrl === undefined || publicUrl === undefined) return []
  const [play, api] = [new URL(playUrl.replace('*.', '')), new URL(publicUrl)].map(({ hostname }) => hostname)
  // Browsers let no cookie be shared below localhost.
  if (play === undefined || api === undefined || play === 'localhost' || !areRelated(play, api)) return []
  return [`playUrl: "${playUrl}" is of the same site as "${publicUrl}"; it needs a domain of its own`]
}

/** Fills in defaults and refuses wrong settings, naming all of them at once. */
export const checkSettings = (options: Readonly<Record<string, unknown>>): CloudSettings => {
  const values = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const settings = Value.Default(CloudSettingsSchema, Value.Clone(values)) as CloudSettings
  const invalid = schemaProblems(CloudSettingsSchema, settings)
  const problems = invalid.length > 0 ? invalid : playProblems(settings)
  if (problems.length > 0) throw fail('VID_CLOUD_OPTION', { problems })
  return settings
}
