import { type CallCounts, countS3Requests, isWide } from '../../src/cost/usage.ts'
import type { Workload } from './workload.ts'

/** A call that a render needs, numbered: render × (chunks + 2), then Plan, the chunks, Assemble. */
export interface Work {
  readonly render: number
  readonly action: 'plan' | 'segment' | 'assemble'
  /** Whether it is an execution of its own, of a distributed Map. */
  readonly isChild: boolean
}

/** Reads the number of a work. */
export const workOf = (number: number, chunks: number): Work => {
  const render = Math.floor(number / (chunks + 2))
  const part = number % (chunks + 2)
  const action = part === 0 ? 'plan' : part > chunks ? 'assemble' : 'segment'
  return { render, action, isChild: action === 'segment' && isWide(chunks) }
}

/** Number of the Plan of a render; its chunks follow, then Assemble. */
export const firstWork = (render: number, chunks: number): number => render * (chunks + 2)

const NO_CALLS: CallCounts = {
  executions: 0,
  planned: 0,
  plan: 0,
  segment: 0,
  publish: 0,
  assemble: 0,
  abandon: 0,
  wideChunks: 0,
  segments: 0,
  files: 0,
}

/** Time and requests to S3 of each action. */
export const demandsOf = (workload: Workload) => {
  const requests = (counts: Partial<CallCounts>) => countS3Requests({ ...NO_CALLS, ...counts })
  return {
    plan: { seconds: workload.planSeconds, ...requests({ plan: 1 }) },
    segment: {
      seconds: workload.chunkSeconds,
      ...requests({ segment: 1, segments: workload.segmentsPerChunk }),
    },
    assemble: {
      seconds: workload.assembleSeconds,
      ...requests({ assemble: 1, files: workload.resultFiles ?? 0 }),
    },
  }
}
