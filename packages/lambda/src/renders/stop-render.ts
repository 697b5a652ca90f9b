import { findExecution, type RenderPlace, withStepFunctions } from './executions.ts'
import { askAboutRender } from './missing-render.ts'

/** Selects the render to stop, with a reason. */
export interface StopRenderOptions extends RenderPlace {
  /** Shown in its progress afterwards. */
  readonly reason?: string
}

/**
 * Stops a render: no further calls start. Running calls continue to their end and are billed; the bucket's lifecycle
 * rules remove what they store. Does nothing if the render has ended.
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
