import type { CallEnd, CallRecord } from '../contract/call-records.ts'
import { stateOf } from './render-errors.ts'

/** What the calls of a render have done so far. */
export interface CallSummary {
  /** Number of started calls. */
  readonly calls: number
  /** Number of frames of the render; null until it is planned. */
  readonly totalFrames: number | null
  /** Null until it is planned. */
  readonly totalChunks: number | null
  readonly framesRendered: number
  /** How many of them were reused from earlier renders. */
  readonly reusedFrames: number
  readonly chunksDone: number
  /** Recorded failures, by state and code; a call that waits for another one has not failed. */
  readonly failures: readonly { readonly state: string; readonly error: string }[]
}

const WAITS: readonly string[] = ['VID_LAMBDA_SEGMENT_CLAIMED', 'VID_LAMBDA_STREAM_WAITS']

/** Summarizes the call records of one render. A chunk counts once, however often it was called. */
export const summarizeCalls = (records: readonly CallRecord[]): CallSummary => {
  const chunks = new Map<number, { readonly frames: number; readonly reusedFrames: number }>()
  const failures: { state: string; error: string }[] = []
  let planned: CallEnd | undefined
  for (const { action, chunk, end } of records) {
    if (!end) continue
    if (end.outcome !== 'done') {
      if (!WAITS.includes(end.outcome)) failures.push({ state: stateOf(action, chunk), error: end.outcome })
      continue
    }
    if (action === 'plan') planned = end
    if (action === 'segment') chunks.set(chunk, end)
  }
  const sum = (of: 'frames' | 'reusedFrames') => [...chunks.values()].reduce((total, chunk) => total + chunk[of], 0)
  return {
    calls: new Set(records.map(({ action, chunk, requestId }) => `${action}/${chunk}/${requestId}`)).size,
    totalFrames: planned?.frames ?? null,
    totalChunks: planned?.chunks ?? null,
    framesRendered: sum('frames'),
    reusedFrames: sum('reusedFrames'),
    chunksDone: chunks.size,
    failures,
  }
}

/** Shares of planning and assembling in the progress of a render. */
const PLANNED = 0.02
const ASSEMBLED = 0.05

/** Completed share of a running render, from 0 to below 1; never decreases, since records are only added. */
export const shareDone = ({ totalFrames, framesRendered }: CallSummary): number => {
  if (totalFrames === null) return 0
  return PLANNED + (1 - PLANNED - ASSEMBLED) * Math.min(1, framesRendered / totalFrames)
}
