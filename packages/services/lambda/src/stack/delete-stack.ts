import { askAws } from '../aws-failure.ts'
import type { StackDescription, StackSession } from './find-stack.ts'
import { finishChange, followEvents, type OnStackEvent } from './stack-change.ts'

/** Deletes a stack, and waits until it is gone; its bucket stays. */
export const deleteStack = async (
  session: StackSession,
  stack: StackDescription,
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
