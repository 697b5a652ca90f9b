import { renderKeys } from './object-keys.ts'

/** The actions of the function. */
export const actions = ['plan', 'segment', 'publish', 'assemble', 'abandon'] as const
export type Action = (typeof actions)[number]

/** A call of the function for a part of a render. */
export interface FunctionCall {
  readonly renderId: string
  readonly action: Action
  /** Number of the chunk; 0 for other actions. */
  readonly chunk: number
  /** Id of the invocation, assigned by Lambda. */
  readonly requestId: string
}

/** The outcome of a call. */
export interface CallEnd {
  /** `done`, or the code of the error. */
  readonly outcome: string
  /** Billed milliseconds, including a cold start. */
  readonly billedMs: number
  /** Finished frames of the chunk. */
  readonly frames: number
  /** How many of them were reused. */
  readonly reusedFrames: number
  /** Number of chunks of the render; set only by planning. */
  readonly chunks?: number
  /** Whether the environment was new. */
  readonly isCold: boolean
}

/** A record in the list of a render's calls. */
export interface CallRecord extends FunctionCall {
  /** When the record was written, in milliseconds since 1970. */
  readonly writtenMs: number
  /** Left out in the record of a start. */
  readonly end?: CallEnd
}

const base = ({ renderId, action, chunk, requestId }: FunctionCall) =>
  `${renderKeys(renderId).calls}${action}.${chunk}.${requestId}`

/** Key of the record of a call's start; the object is empty, so that listing the keys is enough. */
export const startKey = (call: FunctionCall): string => `${base(call)}.start`

/** Key of the record of a call's end. */
export const endKey = (
  call: FunctionCall,
  { outcome, billedMs, frames, reusedFrames, chunks, isCold }: CallEnd,
): string =>
  `${base(call)}.end.${outcome}.${Math.ceil(billedMs)}.${frames}.${reusedFrames}.${isCold ? 'cold' : 'warm'}${chunks === undefined ? '' : `.${chunks}`}`

const RECORD =
  /^renders\/(?<renderId>[^/]+)\/calls\/(?<action>[a-z]+)\.(?<chunk>\d+)\.(?<requestId>[\w-]+)\.(?:start|end\.(?<outcome>\w+)\.(?<billedMs>\d+)\.(?<frames>\d+)\.(?<reusedFrames>\d+)\.(?<heat>cold|warm)(?:\.(?<chunks>\d+))?)$/

/** Parses a record from the key and the time of its object; undefined for other objects. */
export const readCallRecord = (key: string, writtenMs: number): CallRecord | undefined => {
  const fields = RECORD.exec(key)?.groups
  if (!fields || !actions.includes(fields.action as Action)) return undefined
  const { renderId = '', action, chunk, requestId = '', outcome, billedMs, frames, reusedFrames } = fields
  const call = { renderId, action: action as Action, chunk: Number(chunk), requestId, writtenMs }
  if (outcome === undefined) return call
  return {
    ...call,
    end: {
      outcome,
      billedMs: Number(billedMs),
      frames: Number(frames),
      reusedFrames: Number(reusedFrames),
      isCold: fields.heat === 'cold',
      ...(fields.chunks !== undefined && { chunks: Number(fields.chunks) }),
    },
  }
}
