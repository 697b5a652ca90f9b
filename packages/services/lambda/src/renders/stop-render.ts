import { withBucket } from '@vid/s3'
import { bucketProblems } from '../contract/places.ts'
import { refuseProblems } from '../invalid-config.ts'
import { endStream } from '../streams/end-stream.ts'
import { findExecution, type RenderPlace, withStepFunctions } from './executions.ts'
import { askAboutRender } from './missing-render.ts'

/** Selects the render to stop, with a reason. */
export interface StopRenderOptions extends RenderPlace {
  /** Output `RenderBucketName` of the stack. Without it, the playlists of a video that is being published stay without an end. */
  readonly bucketName?: string | undefined
  /** Shown in its progress afterwards. */
  readonly reason?: string
}

/**
 * Stops a render: no further calls start. Running calls continue to their end and are billed; the bucket's lifecycle
 * rules remove what they store. A video that is being published ends after the last segment that players see. Does
 * nothing if the render has ended.
 */
export const stopRender = async (options: StopRenderOptions): Promise<void> => {
  const { bucketName, signal, reason = 'the render was stopped' } = options
  if (bucketName !== undefined) refuseProblems(bucketProblems(bucketName))
  const execution = findExecution(options)
  const { executionArn, region, renderId } = execution
  await withStepFunctions(execution, async (client) => {
    const { StopExecutionCommand } = await import('@aws-sdk/client-sfn')
    const command = new StopExecutionCommand({ executionArn, error: 'VID_CANCELLED', cause: reason })
    await askAboutRender(client, { action: 'states:StopExecution', executionArn }, signal, (options) =>
      client.send(command, options),
    )
  })
  if (bucketName !== undefined) await withBucket({ bucketName, region, signal }, (place) => endStream(place, renderId))
}
