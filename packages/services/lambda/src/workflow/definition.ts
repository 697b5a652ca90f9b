import { FUNCTION_SECONDS, INLINE_MAP_ITERATIONS, MAX_CHUNKS } from '../contract/limits.ts'
import { callRetriers, retriers } from './retries.ts'
import type { Catcher, MapState, TaskState, WorkflowDefinition } from './states.ts'

/** Placeholder that CloudFormation, or another user of the definition, replaces with the ARN of the function. */
export const FUNCTION_ARN = `\${FunctionArn}`

/** Lambda ends a call at its timeout; this ends a call that no longer reports. */
const TASK_SECONDS = FUNCTION_SECONDS + 60

const abandon: readonly Catcher[] = [{ ErrorEquals: ['States.ALL'], Next: 'Abandon' }]

const call = { Type: 'Task', Resource: FUNCTION_ARN, TimeoutSeconds: TASK_SECONDS, Retry: callRetriers } as const

const ofPlan = { 'renderId.$': '$.renderId', 'request.$': '$.request', 'plan.$': '$.plan' } as const

const segment: TaskState = { ...call, End: true }

const chunks = {
  Type: 'Map',
  ItemsPath: '$.parts',
  ItemSelector: {
    'action.$': '$$.Map.Item.Value.action',
    ...ofPlan,
    'chunks.$': 'States.ArrayLength($.chunks)',
    'chunk.$': '$$.Map.Item.Value.chunk',
  },
  ResultPath: '$.results',
  Catch: abandon,
  Next: 'Assemble',
} as const satisfies Partial<MapState>

/**
 * Definition of the state machine: plan, render all chunks, beside a call that publishes them if the video grows, and
 * assemble. An error that ends a render marks it as failed, removes its work objects, and becomes the error of the
 * execution.
 */
export const workflowDefinition = (): WorkflowDefinition => ({
  Comment: 'Renders a video: plans it, renders its chunks side by side, and joins them',
  StartAt: 'Plan',
  States: {
    // The input may be as large as Step Functions allows, so it is passed to the function unchanged.
    Plan: { ...call, Catch: abandon, Next: 'IsWide' },
    IsWide: {
      Type: 'Choice',
      Choices: [{ Variable: '$.isWide', BooleanEquals: true, Next: 'ManyChunks' }],
      Default: 'Chunks',
    },
    Chunks: {
      ...chunks,
      MaxConcurrency: INLINE_MAP_ITERATIONS,
      ItemProcessor: {
        ProcessorConfig: { Mode: 'INLINE' },
        StartAt: 'Chunk',
        States: { Chunk: segment },
      },
    },
    // Each chunk is a separate execution with its own history.
    ManyChunks: {
      ...chunks,
      MaxConcurrency: MAX_CHUNKS,
      Label: 'chunks',
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        StartAt: 'ChunkOfMany',
        States: { ChunkOfMany: segment },
      },
    },
    Assemble: {
      ...call,
      Parameters: { action: 'assemble', ...ofPlan, 'results.$': '$.results' },
      Catch: abandon,
      End: true,
    },
    // The error has replaced the state, which may have been large; the execution's name is the render's id.
    Abandon: {
      ...call,
      Parameters: { action: 'abandon', 'renderId.$': '$$.Execution.Name', 'error.$': '$' },
      Retry: [retriers.throttled, retriers.service, { ...retriers.other, MaxAttempts: 2 }],
      ResultPath: null,
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.abandonment', Next: 'Failed' }],
      Next: 'Failed',
    },
    Failed: { Type: 'Fail', ErrorPath: '$.Error', CausePath: '$.Cause' },
  },
})
