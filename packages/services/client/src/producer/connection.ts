import { checkAddress } from '../http/address.ts'
import { checkSecret, createConnection } from '../http/connection.ts'
import type { Connection } from '../http/exchange.ts'
import { type ClientLimits, clientLimits, type ProducerClientOptions } from './options.ts'
import { producerClientErrors } from './refusals.ts'

/** A connection to a render server. */
export interface ProducerConnection extends Connection {
  readonly limits: ClientLimits
}

/** Opens a connection; it connects with the first request. */
export const connectProducer = (options: ProducerClientOptions): ProducerConnection => {
  const errors = producerClientErrors
  const url = checkAddress(options, errors)
  const { token } = options
  if (token !== undefined) checkSecret(token, errors)
  const limits = { ...clientLimits, ...options.limits }
  const header = async () => ({ name: 'authorization', value: `Bearer ${token}`, secret: token ?? '' })
  const authority = token === undefined ? undefined : { header }
  return { ...createConnection({ url, limits, errors, authority }), limits }
}
