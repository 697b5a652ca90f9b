import type { ExecutionListItem, SFNClient } from '@aws-sdk/client-sfn'
import { askAws } from '../aws-failure.ts'
import type { RenderStatus } from './status.ts'

const PAGE = 100

/** Yields the executions of a state machine from the last 90 days, latest first, page by page. */
export async function* executionsOf(
  client: SFNClient,
  { stateMachineArn, status }: { readonly stateMachineArn: string; readonly status?: RenderStatus | undefined },
  signal: AbortSignal | undefined,
): AsyncGenerator<ExecutionListItem> {
  const { ListExecutionsCommand } = await import('@aws-sdk/client-sfn')
  const filter = { stateMachineArn, maxResults: PAGE, statusFilter: status }
  const request = {
    action: 'states:ListExecutions',
    subject: `the state machine ${stateMachineArn}`,
  } as const
  for (let token: string | undefined, isMore = true; isMore; isMore = token !== undefined) {
    const command = new ListExecutionsCommand({ ...filter, nextToken: token })
    const { executions = [], nextToken } = await askAws(request, signal, (options) => client.send(command, options))
    yield* executions
    token = nextToken
  }
}
