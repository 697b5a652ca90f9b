/** When and how often a failed state is retried. */
export interface Retrier {
  readonly ErrorEquals: readonly string[]
  readonly IntervalSeconds?: number
  /** Retries after the first attempt. */
  readonly MaxAttempts: number
  readonly BackoffRate?: number
  readonly MaxDelaySeconds?: number
  readonly JitterStrategy?: 'FULL' | 'NONE'
}

/** The next state after a state has failed for good. */
export interface Catcher {
  readonly ErrorEquals: readonly string[]
  readonly Next: string
  readonly ResultPath?: string | null
}

type Onward = { readonly Next: string } | { readonly End: true }
type Payload = Readonly<Record<string, unknown>>

/** A call of the function. */
export type TaskState = Onward & {
  readonly Type: 'Task'
  readonly Resource: string
  readonly TimeoutSeconds: number
  readonly Parameters?: Payload
  readonly ResultPath?: string | null
  readonly Retry: readonly Retrier[]
  readonly Catch?: readonly Catcher[]
}

/** Runs the same states for each item. */
export type MapState = Onward & {
  readonly Type: 'Map'
  readonly ItemsPath: string
  readonly ItemSelector: Payload
  readonly MaxConcurrency: number
  readonly ItemProcessor: {
    readonly ProcessorConfig:
      | { readonly Mode: 'INLINE' }
      | { readonly Mode: 'DISTRIBUTED'; readonly ExecutionType: 'STANDARD' }
    readonly StartAt: string
    readonly States: Readonly<Record<string, TaskState>>
  }
  readonly Label?: string
  readonly ResultPath: string
  readonly Catch: readonly Catcher[]
}

interface ChoiceState {
  readonly Type: 'Choice'
  readonly Choices: readonly {
    readonly Variable: string
    readonly BooleanEquals: boolean
    readonly Next: string
  }[]
  readonly Default: string
}

interface FailState {
  readonly Type: 'Fail'
  readonly ErrorPath: string
  readonly CausePath: string
}

/** A state machine in the Amazon States Language. */
export interface WorkflowDefinition {
  readonly Comment: string
  readonly StartAt: string
  readonly States: Readonly<Record<string, TaskState | MapState | ChoiceState | FailState>>
}
