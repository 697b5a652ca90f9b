import { type Static, schemaProblems, type TObject, Type } from '@vid/protocol'
import {
  type Account as AccountFacts,
  changeAccount,
  createAccount,
  disableAccount,
  enableAccount,
  listAccounts,
  type NewAccount,
  rotateWebhookSecret,
  webhookSecret,
} from '../accounts/accounts.ts'
import { createKey, listKeys, revokeKey } from '../accounts/api-keys.ts'
import { writeBackup } from '../backup/write-backup.ts'
import type { Database } from '../database/database.ts'
import { type Examined, examine } from '../doctor/examine.ts'
import { fail } from '../errors.ts'
import { listDeliveries, retryDelivery } from '../webhooks/deliveries.ts'

const Text = Type.String({ minLength: 1, maxLength: 300 })
const Account = Type.Object({ account: Text })

/** Dependencies of the operator functions. */
export interface AdminParts {
  readonly database: Database
  /** Opens the parts that `vid cloud doctor` examines. */
  examined(): Promise<Examined>
}

/** Creates an account with an API key, ready for use. */
const createWithKey = async (
  database: Database,
  { withoutKey = false, ...accountFields }: NewAccount & { readonly withoutKey?: boolean },
): Promise<{ readonly account: AccountFacts; readonly key: string | null }> => {
  const account = await createAccount(database, accountFields)
  const key = withoutKey ? null : (await createKey(database, account.id, 'made with the account')).key
  return { account, key }
}

const define = <P extends TObject, R>(params: P, run: (database: Database, params: Static<P>) => Promise<R>) => ({
  params,
  run: ({ database }: AdminParts, params: Static<P>) => run(database, params),
})

const SecondsOrNull = Type.Optional(Type.Union([Type.Number({ minimum: 0 }), Type.Null()]))

/** The operator functions by name: the command runs them on the database, or has the running server run them. */
export const adminFunctions = {
  'accounts.create': define(
    Type.Object({
      email: Type.Optional(Text),
      name: Type.Optional(Text),
      password: Type.Optional(Text),
      weight: Type.Optional(Type.Number()),
      /** Creates the account without an API key. */
      withoutKey: Type.Optional(Type.Boolean()),
    }),
    createWithKey,
  ),
  'accounts.list': define(Type.Object({}), listAccounts),
  'accounts.change': define(
    Type.Object({
      account: Text,
      email: Type.Optional(Text),
      name: Type.Optional(Text),
      password: Type.Optional(Text),
      weight: Type.Optional(Type.Number()),
      maxOpenRenders: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
      requestsPerMinute: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
      maxUploadBytes: Type.Optional(Type.Integer({ minimum: 0 })),
      maxBilledSeconds: SecondsOrNull,
      maxRenderSeconds: SecondsOrNull,
      maxFrameSeconds: SecondsOrNull,
      resultTtlSeconds: SecondsOrNull,
    }),
    (database, { account, ...change }) => changeAccount(database, account, change),
  ),
  'accounts.disable': define(Account, (database, { account }) => disableAccount(database, account)),
  'accounts.enable': define(Account, (database, { account }) => enableAccount(database, account)),
  'keys.create': define(Type.Object({ account: Text, name: Type.Optional(Text) }), (database, { account, name }) =>
    createKey(database, account, name),
  ),
  'keys.list': define(Type.Object({ account: Type.Optional(Text) }), (database, { account }) =>
    listKeys(database, account),
  ),
  'keys.revoke': define(Type.Object({ key: Text }), (database, { key }) => revokeKey(database, key)),
  'webhooks.list': define(
    Type.Object({
      account: Type.Optional(Text),
      failed: Type.Optional(Type.Boolean()),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    }),
    listDeliveries,
  ),
  'webhooks.retry': define(Type.Object({ delivery: Text }), (database, { delivery }) =>
    retryDelivery(database, delivery),
  ),
  'webhooks.secret': define(
    Type.Object({ account: Text, rotate: Type.Optional(Type.Boolean()) }),
    async (database, { account, rotate }) => ({
      secret: await (rotate === true ? rotateWebhookSecret : webhookSecret)(database, account),
    }),
  ),
  backup: {
    params: Type.Object({
      /** An absolute folder or an S3 address. */
      to: Type.String({ minLength: 1, maxLength: 4096 }),
    }),
    run: async ({ examined }: AdminParts, { to }: { readonly to: string }, signal: AbortSignal) =>
      writeBackup(await examined(), to, { cwd: process.cwd(), signal }),
  },
  doctor: {
    params: Type.Object({ sweeps: Type.Optional(Type.Boolean()) }),
    run: async ({ examined }: AdminParts, params: { readonly sweeps?: boolean }) => examine(await examined(), params),
  },
} as const

type Functions = typeof adminFunctions
/** Name of an operator function. */
export type AdminName = keyof Functions
/** Parameters of an operator function. */
export type AdminParams<N extends AdminName> = Parameters<Functions[N]['run']>[1]

/** A value after a round trip through JSON: dates become strings. */
export type AsJson<T> = T extends Date
  ? string
  : T extends readonly (infer E)[]
    ? readonly AsJson<E>[]
    : T extends object
      ? { readonly [K in keyof T]: AsJson<T[K]> }
      : T
/** Result of an operator function. */
export type AdminResult<N extends AdminName> = AsJson<Awaited<ReturnType<Functions[N]['run']>>>

/** Runs an operator function by name, after validating its parameters; the result is plain JSON. */
export const callAdmin = async (
  parts: AdminParts,
  name: string,
  params: unknown,
  signal: AbortSignal,
): Promise<unknown> => {
  const adminFunction = Object.hasOwn(adminFunctions, name) ? adminFunctions[name as AdminName] : undefined
  const problems = adminFunction ? schemaProblems(adminFunction.params, params) : [`there is no function "${name}"`]
  if (!adminFunction || problems.length > 0) throw fail('VID_CLOUD_ADMIN_CALL', { name, problems })
  const result = await adminFunction.run(parts, params as never, signal)
  return JSON.parse(JSON.stringify(result))
}
