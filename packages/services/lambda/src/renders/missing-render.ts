import type { SFNClient } from '@aws-sdk/client-sfn'
import { isVidError, type VidError } from '@vid/protocol'
import { askAws, awsErrorName } from '../aws-failure.ts'
import { readExecutionArn } from '../contract/places.ts'
import { fail } from '../errors.ts'
import { executionsOf } from './execution-list.ts'

/** Number of latest renders that are searched for ids with the same beginning. */
const MAX_SEARCHED = 1000
const MAX_SHOWN = 10

/** Ids of a state machine's renders that begin like this; empty if they may not be listed. */
const idsThatBegin = async (
  client: SFNClient,
  { stateMachineArn, renderId }: { readonly stateMachineArn: string; readonly renderId: string },
  signal: AbortSignal | undefined,
): Promise<readonly string[]> => {
  const names: string[] = []
  let searched = 0
  try {
    for await (const { name = '' } of executionsOf(client, { stateMachineArn }, signal)) {
      if (name.startsWith(renderId)) names.push(name)
      searched += 1
      if (names.length === MAX_SHOWN || searched === MAX_SEARCHED) break
    }
  } catch (thrown) {
    signal?.throwIfAborted()
    // A missing state machine is a more useful error than a missing render.
    if (isVidError(thrown) && thrown.code === 'VID_AWS_NOT_FOUND') throw thrown
  }
  return names
}

const missingRender = async (
  client: SFNClient,
  executionArn: string,
  signal: AbortSignal | undefined,
  cause: unknown,
): Promise<VidError | undefined> => {
  const render = readExecutionArn(executionArn)
  if (!render) return undefined
  const similar = await idsThatBegin(client, render, signal)
  // A state machine has the name of its stack.
  const stackName = render.stateMachineArn.split(':').at(-1) ?? ''
  return fail('VID_LAMBDA_RENDER_MISSING', { renderId: render.renderId, stackName, similar }, { cause })
}

/** Sends a request about a render; if the render does not exist, the error names renders whose ids begin alike. */
export const askAboutRender = <T>(
  client: SFNClient,
  request: {
    readonly action: 'states:DescribeExecution' | 'states:StopExecution'
    readonly executionArn: string
  },
  signal: AbortSignal | undefined,
  work: (options: { readonly abortSignal?: AbortSignal }) => Promise<T>,
): Promise<T> => {
  const { action, executionArn } = request
  return askAws({ action, subject: `the render ${executionArn}` }, signal, async (options) => {
    try {
      return await work(options)
    } catch (thrown) {
      if (awsErrorName(thrown) !== 'ExecutionDoesNotExist') throw thrown
      throw (await missingRender(client, executionArn, signal, thrown)) ?? thrown
    }
  })
}
