import {
  type ProducerResult,
  ProducerResultSchema,
  type ProducerStills,
  ProducerStillsSchema,
} from '@vid/client/contract'
import { parseAs, type ReplyError, ReplyErrorSchema, Type } from '@vid/protocol'
import { type DownloadableFile, OutputSchema } from '../outputs/output.ts'

const EndedAt = { /** ISO 8601. */ endedAt: Type.String() }

/** The outcome of a request, as stored. */
export const EndingSchema = Type.Union([
  Type.Object({
    status: Type.Literal('completed'),
    ...EndedAt,
    result: Type.Union([ProducerResultSchema, ProducerStillsSchema]),
    /** Files that can be downloaded. */
    outputs: Type.Array(OutputSchema),
  }),
  Type.Object({
    status: Type.Literal('failed'),
    ...EndedAt,
    error: ReplyErrorSchema,
    /** Status of the reply that reports it. */
    httpStatus: Type.Integer({ minimum: 400, maximum: 599 }),
  }),
  Type.Object({ status: Type.Literal('cancelled'), ...EndedAt }),
])

/** The outcome of a request. */
export type Ending = { readonly endedAt: string } & (
  | {
      readonly status: 'completed'
      readonly result: ProducerResult | ProducerStills
      readonly outputs: readonly DownloadableFile[]
    }
  | { readonly status: 'failed'; readonly error: ReplyError; readonly httpStatus: number }
  | { readonly status: 'cancelled' }
)

/** Parses a stored outcome; undefined if it is damaged. */
export const readEnding = (text: string): Ending | undefined => parseAs(EndingSchema, text) as Ending | undefined
