import { renderKeys } from './object-keys.ts'

/** What the function does in one call. */
export const actions = ['plan', 'segment', 'assemble', 'abandon'] as const
export type Action = (typeof actions)[number]

/** A call of the function: which part of which render. */
export interface Call {
  readonly renderId: string
  readonly action: Action
  /** Number of the chunk; 0 for other actions. */
  readonly chunk: number
  /** Of the invocation, as Lambda gives it. */
  readonly requestId: string
}

/** How a call ended. */
export interface CallEnd {
  /** `done`, or the code of the error. */
  readonly outcome: string
  /** Milliseconds that are paid for, those of a cold start included. */
  readonly billedMs: number
  /** Frames of the chunk that are finished. */
  readonly frames: number
  /** Of them, those that were reused. */
  readonly reusedFrames: number
  /** Chunks of the render; only planning knows them. */
  readonly chunks?: number
  /** Whether the environment was new. */
  readonly isCold: boolean
}

/** A record of the list of a render's calls. */
export interface CallRecord extends Call {
  /** When it was written, in milliseconds since 1970. */
  readonly writtenMs: number
  /** Left out by the record of a start. */
  readonly end?: CallEnd
}

const base = ({ renderId, action, chunk, requestId }: Call) =>
  `${renderKeys(renderId).calls}${action}.${chunk}.${requestId}`

/** Key of the record that a call has started; it has no content, so that a list is all there is to read. */
export const startKey = (call: Call): string => `${base(call)}.start`

/** Key of the record that a call has ended. */
export const endKey = (call: Call, { outcome, billedMs, frames, reusedFrames, chunks, isCold }: CallEnd): string =>
  `${base(call)}.end.${outcome}.${Math.ceil(billedMs)}.${frames}.${reusedFrames}.${isCold ? 'cold' : 'warm'}${chunks === undefined ? '' : `.${chunks}`}`

const RECORD =
  /^renders\/(?<renderId>[^/]+)\/calls\/(?<action>[a-z]+)\.(?<chunk>\d+)\.(?<requestId>[\w-]+)\.(?:start|end\.(?<outcome>\w+)\.(?<billedMs>\d+)\.(?<frames>\d+)\.(?<reusedFrames>\d+)\.(?<heat>cold|warm)(?:\.(?<chunks>\d+))?)$/

/** Reads a record from the key and the time of its object; undefined for anything else. */
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
