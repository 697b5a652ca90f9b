import type { ExecutionStatus } from '@aws-sdk/client-sfn'

/** The status of a render in Step Functions. */
export type RenderStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED'

/** The status of a render; an execution that waits for a redrive has failed. */
export const renderStatusOf = (status: ExecutionStatus | undefined): RenderStatus =>
  status === undefined || status === 'PENDING_REDRIVE' ? 'FAILED' : status
