import { askAws } from '../aws-failure.ts'
import type { FoundStack, StackSession } from './found-stack.ts'
import { finishChange, followEvents, type OnStackEvent } from './stack-change.ts'

/** Deletes a stack, and waits until it is gone; its bucket stays. */
export const deleteStack = async (
  session: StackSession,
  stack: FoundStack,
  onEvent: OnStackEvent | undefined,
): Promise<void> => {
  const { client, stackName, signal } = session
  const { DeleteStackCommand } = await import('@aws-sdk/client-cloudformation')
  const follower = await followEvents(session, stack, onEvent)
  await askAws({ action: 'cloudformation:DeleteStack', subject: `the stack ${stackName}` }, signal, (options) =>
    client.send(new DeleteStackCommand({ StackName: stack.id }), options),
  )
  await finishChange(session, stack.id, follower, 'DELETE_COMPLETE')
}
