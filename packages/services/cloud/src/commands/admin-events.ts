import { CountSchema, type EventsOf, Nullable, Type } from '@vid/protocol'

const Time = Type.String({ description: 'ISO 8601' })
const TextOrNull = Nullable(Type.String())
const TimeOrNull = Nullable(Time)

const SecondsOrNull = Nullable(Type.Number({ minimum: 0 }))

const Account = Type.Object({
  id: Type.String(),
  email: TextOrNull,
  name: TextOrNull,
  hasPassword: Type.Boolean(),
  /** Its share of the workers, compared with other accounts. */
  weight: Type.Number({ minimum: 0 }),
  maxOpenRenders: CountSchema,
  requestsPerMinute: CountSchema,
  maxUploadBytes: CountSchema,
  /** Of a month; null for no limit. */
  maxBilledSeconds: SecondsOrNull,
  /** Of workers, for one render and for each of its frames; null for no limit. */
  maxRenderSeconds: SecondsOrNull,
  maxFrameSeconds: SecondsOrNull,
  createdAt: Time,
  disabledAt: TimeOrNull,
})

const Key = Type.Object({
  id: Type.String(),
  accountId: Type.String(),
  name: TextOrNull,
  /** Its first characters. */
  shown: Type.String(),
  createdAt: Time,
  lastUsedAt: TimeOrNull,
  revokedAt: TimeOrNull,
})

const Delivery = Type.Object({
  id: Type.String(),
  accountId: Type.String(),
  renderId: Type.String(),
  eventType: Type.String(),
  /** Without its query. */
  url: Type.String(),
  status: Type.Union([Type.Literal('waiting'), Type.Literal('delivered'), Type.Literal('failed')]),
  attempts: CountSchema,
  /** Status of the last reply. */
  lastStatus: Type.Union([CountSchema, Type.Null()]),
  lastError: TextOrNull,
  nextAt: TimeOrNull,
  createdAt: Time,
  endedAt: TimeOrNull,
})

const Check = Type.Object({
  name: Type.String(),
  ok: Type.Boolean(),
  /** The server cannot work without it. */
  required: Type.Boolean(),
  detail: Type.String(),
  /** What to do; empty where nothing is to be done. */
  hint: Type.String(),
})

/** The events of `vid cloud serve`, `doctor`, `backup`, `restore`, `accounts`, `keys` and `webhooks`. */
export const adminEvents = [
  Type.Object({
    type: Type.Literal('cloud-start'),
    /** Such as http://127.0.0.1:9848. */
    url: Type.String(),
    port: Type.Integer({ minimum: 1, maximum: 65535 }),
    /** Of the first account, when it was made now. */
    apiKey: Type.Optional(Type.String()),
  }),
  Type.Object({
    type: Type.Literal('cloud-doctor'),
    ok: Type.Boolean(),
    checks: Type.Array(Check),
    /** What belongs to renders that are gone; counted after a sweep only. */
    left: Type.Union([Type.Object({ renders: CountSchema, objects: CountSchema, jobs: CountSchema }), Type.Null()]),
  }),
  Type.Object({
    type: Type.Literal('cloud-account'),
    account: Account,
    /** Its first key, when it was made. */
    api_key: Type.Optional(Type.String()),
  }),
  Type.Object({ type: Type.Literal('cloud-accounts'), accounts: Type.Array(Account) }),
  Type.Object({
    type: Type.Literal('cloud-key'),
    key: Key,
    /** The key itself, when it was made. */
    secret: Type.Optional(Type.String()),
  }),
  Type.Object({ type: Type.Literal('cloud-keys'), keys: Type.Array(Key) }),
  Type.Object({ type: Type.Literal('cloud-webhooks'), deliveries: Type.Array(Delivery) }),
  Type.Object({ type: Type.Literal('cloud-webhook-secret'), secret: Type.String() }),
  Type.Object({
    type: Type.Literal('cloud-backup'),
    place: Type.String(),
    createdAt: Type.String(),
    files: CountSchema,
    bytes: CountSchema,
    /** Keys of files that the storage of the server has lost. */
    missing: Type.Array(Type.String()),
  }),
  Type.Object({
    type: Type.Literal('cloud-restore'),
    createdAt: Type.String(),
    files: CountSchema,
    bytes: CountSchema,
  }),
] as const

declare module '@vid/protocol' {
  interface VidEvents extends EventsOf<typeof adminEvents> {}
}
