import { findExecution, type RenderPlace, withStepFunctions } from './executions.ts'
import { askAboutRender } from './missing-render.ts'

/** Which render to stop, and why. */
export interface StopRenderOptions extends RenderPlace {
  /** Shown by its progress afterwards. */
  readonly reason?: string
}

/**
 * Stops a render: no further calls start. Calls that run go on to their end and are paid for; what they leave in the
 * bucket is removed by its lifecycle. A render that has ended stays as it is.
 */
export const stopRender = async (options: StopRenderOptions): Promise<void> => {
  const execution = findExecution(options)
  const { executionArn } = execution
  const { signal, reason = 'the render was stopped' } = options
  await withStepFunctions(execution, async (client) => {
    const { StopExecutionCommand } = await import('@aws-sdk/client-sfn')
    const command = new StopExecutionCommand({ executionArn, error: 'VID_CANCELLED', cause: reason })
    await askAboutRender(client, { action: 'states:StopExecution', executionArn }, signal, (options) =>
      client.send(command, options),
    )
  })
}
