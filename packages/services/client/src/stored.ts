import { type Static, schemaProblems, Type } from '@vid/protocol'

const Text = Type.String({ minLength: 1 })

/** The credentials file; other programs may store further fields. */
const StoredSchema = Type.Object({
  api_key: Type.Optional(Text),
  oauth: Type.Optional(
    Type.Object({
      access_token: Text,
      refresh_token: Type.Optional(Text),
      /** Seconds since 1970, or ISO 8601. */
      expires_at: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Null()])),
      scope: Type.Optional(Type.String()),
      token_type: Type.Optional(Type.String()),
    }),
  ),
  /** The signed-in user. */
  user: Type.Optional(Type.Unknown()),
  /** Address that the credential is for; in a file of another program, the address that is used with it. */
  api_url: Type.Optional(Text),
})

/** Stored credentials, including fields of other programs. */
export type StoredCredentials = Readonly<Static<typeof StoredSchema>> & Readonly<Record<string, unknown>>

/** Tokens of a sign-in. */
export type StoredTokens = NonNullable<StoredCredentials['oauth']>

/** Parses the content of a credentials file; returns a problem without secrets if it is invalid. */
export const readStored = (text: string): StoredCredentials | { readonly problem: string } => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'it is not JSON' }
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject) return { problem: 'it is not a JSON object' }
  const [problem] = schemaProblems(StoredSchema, value)
  // The rest is the value, which may be a secret.
  return problem === undefined ? (value as StoredCredentials) : { problem: problem.replace(/; got .*$/s, '') }
}

const MAX_SECONDS = 1e11

/** When tokens expire, in milliseconds since 1970; undefined if unknown. */
export const expiryMs = ({ expires_at: expiresAt }: StoredTokens): number | undefined => {
  if (typeof expiresAt === 'number') return expiresAt > MAX_SECONDS ? expiresAt : expiresAt * 1000
  const ms = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
