import { withDefault } from '@vid/kernel'
import { machineLocal, Type } from '@vid/protocol'

/** Options of plugins that call an HTTP service. */
export const serviceOptions = {
  /** Address of the call; https, or http on this machine. */
  url: machineLocal(Type.String({ minLength: 1 })),
  /** What is added to the address after `?`. */
  query: withDefault(Type.Record(Type.String(), Type.String()), {}),
  token: Type.Optional(Type.String({ writeOnly: true, minLength: 1 })),
  /** Header of the token, and what stands before it there. */
  tokenHeader: withDefault(Type.String({ pattern: '^[A-Za-z0-9-]+$' }), 'authorization'),
  tokenPrefix: withDefault(Type.String(), 'Bearer '),
  /** Allows http to other machines, for private networks: everyone there can read the token. */
  insecure: withDefault(Type.Boolean(), false),
  /** Time limit of a call. */
  timeoutMs: withDefault(Type.Integer({ minimum: 1, maximum: 86_400_000 }), 600_000),
}

/** Where a service is, and how it is called. */
export interface ServicePlace {
  readonly url: string
  readonly query: Readonly<Record<string, string>>
  readonly token?: string
  readonly tokenHeader: string
  readonly tokenPrefix: string
  readonly insecure: boolean
  readonly timeoutMs: number
}
