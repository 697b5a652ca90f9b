import {
  type DeepReadonly,
  describeCause,
  ErrorDataSchema,
  parseJson,
  type RenderRequest,
  RenderRequestSchema,
  type Static,
  schemaProblems,
  TimingSchema,
  Type,
  WarningSchema,
} from '@vid/protocol'
import { fail } from './errors.ts'

/** Absolute folder inside the container that it may write to: scratch files, caches and results. */
export const WORK_DIR = '/vid'

/** Absolute path inside the container of the file that says what to render. */
export const ORDER_PATH = `${WORK_DIR}/order.json`

/** Absolute folder inside the container of kept segments, where they are wanted. */
export const SEGMENTS_FOLDER = '/segments'

/** What a container is to render, as a file in its folder. */
export const OrderSchema = Type.Object({
  version: Type.String(),
  request: RenderRequestSchema,
  /** Names of the results in the folder `out` of its work folder, in the order of the outputs. */
  names: Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$' }), { minItems: 1 }),
  /** Absolute path of the config file. */
  config: Type.Optional(Type.String()),
  preset: Type.Optional(Type.String()),
  /** Whether finished segments are kept in the folder of segments. */
  cache: Type.Boolean(),
  fresh: Type.Boolean(),
  /** Whether pages may have fetched what the request allows; false where there is no network. */
  network: Type.Boolean(),
})

/** What a container is to render. */
export type Order = Omit<Static<typeof OrderSchema>, 'request'> & { readonly request: RenderRequest }

/** Checks the text of an order file, or what kept it from being read. */
export const checkOrder = (path: string, text: string | Error): Order => {
  const refuse = (reason: string) => fail('VID_CONTAINER_ORDER', { path, reason })
  if (typeof text !== 'string') throw refuse(describeCause(text))
  const order = parseJson(text)
  const problems = schemaProblems(OrderSchema, order)
  if (problems.length > 0) throw refuse(problems.join('; '))
  return order as Order
}

/** The last line that a container writes when it has rendered. */
export const OrderResultSchema = Type.Object({
  type: Type.Literal('order-complete'),
  /** SHA-256 (hex) of each result; null for a folder. */
  digests: Type.Array(Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()])),
  frames: Type.Integer({ minimum: 0 }),
  durationMs: Type.Number({ minimum: 0 }),
  warnings: Type.Array(WarningSchema),
  timings: Type.Array(TimingSchema),
})

/** What a container has rendered. */
export type OrderResult = DeepReadonly<Static<typeof OrderResultSchema>>

/** The last line that a container writes when it has failed. */
export const OrderErrorSchema = Type.Object({ type: Type.Literal('order-error'), error: ErrorDataSchema })
