import { defined, type Static, schemaProblems, Type, Value } from '@vid/protocol'
import { fail } from './errors.ts'

const MIB = 2 ** 20
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The longest delay that a timer accepts, in milliseconds. */
const MAX_MS = 2 ** 31 - 1

const Milliseconds = (standard: number) => Type.Integer({ minimum: 100, maximum: MAX_MS, default: standard })
const Bytes = (standard: number) => Type.Integer({ minimum: 1024, default: standard })

/** Settings of the API of a hosted server; the worker has its own. */
export const CloudSettingsSchema = Type.Object(
  {
    /**
     * Address at which clients reach the server, without a slash at the end; the address on which it listens if left
     * out.
     */
    publicUrl: Type.Optional(Type.String({ pattern: '^https?://[^/?#\\s]+$' })),
    /**
     * Where pages play compositions, each under its own name in place of the `*`, such as `https://*.videos.example`.
     */
    playUrl: Type.Optional(Type.String({ pattern: '^https?://\\*\\.[^/?#\\s*]+$' })),
    /** Largest zip for any account; an account may have a lower limit. */
    uploadBytes: Bytes(4096 * MIB),
    /** Size of each part of an upload but the last, in bytes. */
    partBytes: Type.Integer({ minimum: 1024, maximum: 1024 * MIB, default: 8 * MIB }),
    /** How long an upload can be continued, in milliseconds. */
    uploadTtlMs: Milliseconds(24 * HOUR_MS),
    /** Limit on the disk space that incoming projects take in this process, in bytes. */
    heldUploadBytes: Bytes(16 * 1024 * MIB),
    /** Largest size of an unpacked project, in bytes. */
    unpackedBytes: Bytes(4096 * MIB),
    /** Maximum number of files in a project. */
    unpackedFiles: Type.Integer({ minimum: 1, default: 20_000 }),
    /** Limit on the disk space of unpacked projects that are not in use, in bytes. */
    projectCacheBytes: Type.Integer({ minimum: 0, default: 8 * 1024 * MIB }),
    /** Largest JSON body, in bytes. */
    bodyBytes: Bytes(4 * MIB),
    /** Longest time for a client to send a request. */
    requestTimeoutMs: Milliseconds(30 * MINUTE_MS),
    /** Longest time to fetch a project from its address. */
    fetchTimeoutMs: Milliseconds(5 * MINUTE_MS),
    /** How long a signed address is valid. */
    addressTtlMs: Milliseconds(HOUR_MS),
    /** How long an unfinished request keeps the lock of its idempotency key after its process stops renewing it. */
    replyLockMs: Milliseconds(30_000),
    /** Allows projects and callbacks at private addresses and without TLS: for a server without untrusted users. */
    allowPrivateAddresses: Type.Boolean({ default: false }),
    /** Requests allowed per minute and address without a credential; accounts have their own limit. */
    publicRequestsPerMinute: Type.Integer({ minimum: 1, default: 6000 }),
    /** Wrong credentials allowed per minute and address. */
    wrongCredentialsPerMinute: Type.Integer({ minimum: 1, default: 20 }),
    /** Addresses or ranges of proxies whose X-Forwarded-For header names the client. */
    trustedProxies: Type.Array(Type.String(), { default: [] }),
    /** Token for `GET /metrics`; without one, metrics are only served at a loopback address. */
    metricsToken: Type.Optional(Type.String({ minLength: 16 })),
    /** Host names that requests may carry, beside that of `publicUrl` and the loopback. */
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

/** Whether two hosts are the same, or one is a subdomain of the other: such hosts can share cookies. */
const areRelated = (first: string, other: string): boolean =>
  `.${first}`.endsWith(`.${other}`) || `.${other}`.endsWith(`.${first}`)

const playProblems = ({ playUrl, publicUrl }: CloudSettings): string[] => {
  if (playUrl === undefined || publicUrl === undefined) return []
  const [play, api] = [new URL(playUrl.replace('*.', '')), new URL(publicUrl)].map(({ hostname }) => hostname)
  // Browsers don't share cookies below localhost.
  if (play === undefined || api === undefined || play === 'localhost' || !areRelated(play, api)) return []
  return [`playUrl: "${playUrl}" is of the same site as "${publicUrl}"; it needs a domain of its own`]
}

/** Fills in defaults and refuses invalid settings, naming all of them at once. */
export const checkCloudSettings = (options: Readonly<Record<string, unknown>>): CloudSettings => {
  const settings = Value.Default(CloudSettingsSchema, Value.Clone(defined(options))) as CloudSettings
  const invalid = schemaProblems(CloudSettingsSchema, settings)
  const problems = invalid.length > 0 ? invalid : playProblems(settings)
  if (problems.length > 0) throw fail('VID_CLOUD_OPTION', { problems })
  return settings
}
