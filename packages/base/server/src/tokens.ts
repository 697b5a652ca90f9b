import { createHash, timingSafeEqual } from 'node:crypto'
import type { VidError } from '@vid/protocol'
import { isLoopback } from './checks/host-check.ts'
import { failHttp } from './errors.ts'

const MIN_LENGTH = 16

/** Owner of requests without a token, on servers and routes that need none. */
export const ANYONE = 'anyone'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** A stable name for the holder of a token that does not reveal the token. */
const ownerOf = (token: string): string => digest(`vid owner\n${token}`).toString('hex').slice(0, 24)

/** The token in an Authorization header with the scheme Bearer. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]

/** Finds the owner of a token; undefined if it is unknown. */
export type TokenCheck = (token: string | undefined) => string | undefined

/** Compares with every token in constant time, so that timing reveals neither length nor prefix of a token. */
export const tokenCheck = (tokens: readonly string[]): TokenCheck => {
  const owners = tokens.map((token) => ({ digest: digest(token), owner: ownerOf(token) }))
  return (token) => {
    const tokenDigest = digest(token ?? '')
    const matches = owners.filter((owner) => timingSafeEqual(owner.digest, tokenDigest))
    return token === undefined ? undefined : matches[0]?.owner
  }
}

/** The address of a server and its protection. */
export interface Binding {
  readonly host: string
  readonly tokens?: readonly string[] | undefined
  /** Whether the server authenticates its clients without tokens. */
  readonly authenticates?: boolean | undefined
  /** Name of the token's setting, for messages. */
  readonly tokenSetting?: string | undefined
}

/** Why a server may not listen on an address: one that others can reach needs a token, and tokens must be strong. */
export const bindingProblem = ({
  host,
  tokens = [],
  authenticates = false,
  tokenSetting = 'the token',
}: Binding): VidError | undefined => {
  const where = tokenSetting
  if (tokens.some((token) => token.length < MIN_LENGTH))
    return failHttp('VID_SERVER_TOKEN_WEAK', { where, problem: `it has fewer than ${MIN_LENGTH} characters` })
  if (tokens.some((token) => !/^[\x21-\x7e]+$/.test(token)))
    return failHttp('VID_SERVER_TOKEN_WEAK', { where, problem: 'it has characters that a header cannot contain' })
  if (tokens.length === 0 && !authenticates && !isLoopback(host))
    return failHttp('VID_SERVER_TOKEN_MISSING', { host, where })
  return undefined
}
