import type { ExecutionStatus } from '@aws-sdk/client-sfn'

/** How far a render is, as Step Functions says it. */
export type RenderStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED'

/** The status of a render; one that waits to be driven again has failed. */
export const statusOf = (status: ExecutionStatus | undefined): RenderStatus =>
  status === undefined || status === 'PENDING_REDRIVE' ? 'FAILED' : status
