import type { TSchema } from '@vid/protocol'
import { checkAddress } from '../http/address.ts'
import { createConnection } from '../http/connection.ts'
import type { Call, Connection } from '../http/exchange.ts'
import { parseReply, readText } from '../http/replies.ts'
import { withRetries } from '../http/retries.ts'
import { authorityOf } from './credential.ts'
import { type CloudClientOptions, type CloudLimits, cloudLimits } from './options.ts'
import { cloudClientErrors } from './refusals.ts'

/** A connection to the hosted API. */
export interface CloudConnection extends Connection {
  readonly limits: CloudLimits
  readonly insecure: boolean
}

/** Opens a connection; it connects with the first request. */
export const connectCloud = (options: CloudClientOptions): CloudConnection => {
  const errors = cloudClientErrors
  const { insecure = false, credential } = options
  const url = checkAddress(options, errors)
  const limits = { ...cloudLimits, ...options.limits }
  return {
    ...createConnection({ url, limits, errors, authority: authorityOf(credential) }),
    limits,
    insecure,
  }
}

/** Sends a request once; resolves to its validated reply. */
export const fetchReply = async <T>(connection: Connection, schema: TSchema, call: Call): Promise<T> => {
  const reply = await connection.send(call)
  return parseReply<T>(schema, await readText(reply.body, connection), connection)
}

/** Sends a repeatable request until it is answered. */
export const askAgain = <T>(connection: Connection, schema: TSchema, call: Call): Promise<T> =>
  withRetries(connection, call.signal, () => fetchReply<T>(connection, schema, call))

/** A JSON body with its header. */
export const jsonBody = (value: object, headers: Readonly<Record<string, string>> = {}) => ({
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json', ...headers },
})
