import { type AwsPlace, openStepFunctions } from '../aws-clients.ts'
import { askAws } from '../aws-failure.ts'
import { regionOfArn, stateMachineProblems } from '../places.ts'
import { refuseProblems } from './invalid-config.ts'
import { type RenderStatus, statusOf } from './status.ts'

/** A render in a list. */
export interface ListedRender {
  readonly renderId: string
  readonly executionArn: string
  readonly status: RenderStatus
  /** ISO 8601. */
  readonly startedAt: string
  /** ISO 8601; null while it runs. */
  readonly endedAt: string | null
}

/** Which renders are listed. */
export interface ListRendersOptions extends AwsPlace {
  readonly stateMachineArn: string
  readonly status?: RenderStatus
  readonly signal?: AbortSignal
}

const PAGE = 100

/** The renders of a stack of the last 90 days, the latest first. */
export async function* listRenders(options: ListRendersOptions): AsyncGenerator<ListedRender> {
  const { stateMachineArn, status, signal } = options
  refuseProblems(stateMachineProblems(stateMachineArn))
  const client = await openStepFunctions({ region: options.region ?? regionOfArn(stateMachineArn) })
  const { ListExecutionsCommand } = await import('@aws-sdk/client-sfn')
  const ask = (nextToken: string | undefined) =>
    askAws({ action: 'states:ListExecutions', subject: stateMachineArn }, signal, (request) =>
      client.send(
        new ListExecutionsCommand({ stateMachineArn, maxResults: PAGE, statusFilter: status, nextToken }),
        request,
      ),
    )
  try {
    for (let token: string | undefined, isMore = true; isMore; isMore = token !== undefined) {
      const { executions = [], nextToken } = await ask(token)
      for (const { name = '', executionArn = '', status: found, startDate, stopDate } of executions)
        yield {
          ...{ renderId: name, executionArn, status: statusOf(found) },
          startedAt: (startDate ?? new Date(0)).toISOString(),
          endedAt: stopDate?.toISOString() ?? null,
        }
      token = nextToken
    }
  } finally {
    client.destroy()
  }
}
