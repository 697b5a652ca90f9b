// The JSON protocol of Step Functions (AWSStepFunctions.*).
import { randomUUID } from 'node:crypto'
import { serviceError } from '../service.mjs'

/** One page of a list: the tokens are positions. */
const page = (all, { maxResults, nextToken }, most) => {
  const first = nextToken === undefined ? 0 : Number(Buffer.from(nextToken, 'base64'))
  if (!Number.isInteger(first)) throw serviceError('InvalidToken', `Invalid Token: '${nextToken}'`)
  const size = Math.min(maxResults || 100, most)
  const items = all.slice(first, first + size)
  const next = first + size < all.length
  return [items, next ? { nextToken: Buffer.from(String(first + size)).toString('base64') } : {}]
}

const machineView = ({ arn, name, text, roleArn, createdMs }) => ({
  stateMachineArn: arn,
  name,
  status: 'ACTIVE',
  definition: text,
  roleArn,
  type: 'STANDARD',
  creationDate: createdMs / 1000,
  revisionId: randomUUID(),
})

const included = { included: true }
const listed = ({ executionArn, stateMachineArn, name, status, startDate, stopDate, mapRunArn }) => ({
  executionArn,
  stateMachineArn,
  name,
  status,
  startDate,
  stopDate,
  mapRunArn,
})
const executionView = ({ input, output, error, cause, ...record }) => ({
  ...listed(record),
  input,
  inputDetails: included,
  output,
  error,
  cause,
  ...(output !== undefined && { outputDetails: included }),
})

const withoutData = (event) =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => {
      if (!name.endsWith('Details')) return [name, value]
      const { input, output, ...rest } = value
      return [name, rest]
    }),
  )

const counts = ({ length, children }) => {
  const of = (status) => children.filter((child) => child.status === status).length
  const [running, succeeded, failed, aborted, timedOut] = [
    'RUNNING',
    'SUCCEEDED',
    'FAILED',
    'ABORTED',
    'TIMED_OUT',
  ].map(of)
  const pending = length - children.length
  return {
    total: length,
    pending,
    running,
    succeeded,
    failed,
    aborted,
    timedOut,
    resultsWritten: 0,
    failuresNotRedrivable: 0,
    pendingRedrive: 0,
  }
}
const mapRunView = ({ mapRunArn, executionArn, stateMachineArn, status, startDate, stopDate, ...rest }) => ({
  mapRunArn,
  executionArn,
  stateMachineArn,
  status,
  startDate,
  stopDate,
  redriveCount: 0,
  maxConcurrency: rest.maxConcurrency,
  toleratedFailureCount: 0,
  toleratedFailurePercentage: 0,
  itemCounts: counts(rest),
  executionCounts: counts(rest),
})

/**
 * The operations by their names.
 * @param {ReturnType<typeof import('./machines.mjs').createMachines>} machines
 */
const operations = (machines) => ({
  CreateStateMachine: (input) => {
    const { arn, createdMs } = machines.create(input)
    return { stateMachineArn: arn, creationDate: createdMs / 1000 }
  },
  UpdateStateMachine: ({ stateMachineArn, ...input }) => ({
    updateDate: machines.update(stateMachineArn, input).updatedMs / 1000,
    revisionId: randomUUID(),
  }),
  DescribeStateMachine: ({ stateMachineArn }) => machineView(machines.find(stateMachineArn)),
  DeleteStateMachine: ({ stateMachineArn }) => {
    machines.remove(stateMachineArn)
    return {}
  },
  ListStateMachines: (input) => {
    const views = machines.machines().map(({ arn, name, createdMs }) => ({
      stateMachineArn: arn,
      name,
      type: 'STANDARD',
      creationDate: createdMs / 1000,
    }))
    const [stateMachines, next] = page(views, input, 1000)
    return { stateMachines, ...next }
  },
  StartExecution: ({ stateMachineArn, name = randomUUID(), input = '{}' }) => {
    const { executionArn, startDate } = machines.start(stateMachineArn, name, input)
    return { executionArn, startDate }
  },
  DescribeExecution: ({ executionArn }) => executionView(machines.findExecution(executionArn).record),
  DescribeStateMachineForExecution: ({ executionArn }) => {
    const { record, began } = machines.findExecution(executionArn)
    const machine = machineView({ ...machines.find(record.stateMachineArn), text: began.text })
    return { ...machine, updateDate: began.updatedMs / 1000 }
  },
  StopExecution: async ({ executionArn, error, cause }) => {
    const { stop, done, record } = machines.findExecution(executionArn)
    if (record.status === 'RUNNING') {
      stop({ error, cause })
      await done
    }
    return { stopDate: record.stopDate }
  },
  ListExecutions: ({ stateMachineArn, mapRunArn, statusFilter, ...input }) => {
    if (!mapRunArn) machines.find(stateMachineArn)
    const all = machines
      .executions()
      .map(({ record }) => record)
      .filter((execution) =>
        mapRunArn
          ? execution.mapRunArn === mapRunArn
          : execution.stateMachineArn === stateMachineArn && !execution.mapRunArn,
      )
      .filter(({ status }) => !statusFilter || status === statusFilter)
      .reverse()
    const [executions, next] = page(all.map(listed), input, 1000)
    return { executions, ...next }
  },
  GetExecutionHistory: ({ executionArn, reverseOrder = false, includeExecutionData = true, ...input }) => {
    const { events } = machines.findExecution(executionArn).history
    const ordered = reverseOrder ? events.toReversed() : events
    const [entries, next] = page(ordered, input, 1000)
    return { events: includeExecutionData ? entries : entries.map(withoutData), ...next }
  },
  ListMapRuns: ({ executionArn, ...input }) => {
    const runs = machines.mapRuns().filter((run) => run.executionArn === executionArn)
    const [mapRuns, next] = page(runs.map(mapRunView), input, 1000)
    return { mapRuns, ...next }
  },
  DescribeMapRun: ({ mapRunArn }) => {
    const mapRun = machines.mapRuns().find((run) => run.mapRunArn === mapRunArn)
    if (!mapRun) throw serviceError('ResourceNotFound', `Resource not found: '${mapRunArn}'`)
    return mapRunView(mapRun)
  },
  ValidateStateMachineDefinition: () => ({ result: 'OK', diagnostics: [] }),
  TagResource: () => ({}),
  ListTagsForResource: () => ({ tags: [] }),
})

/**
 * @param {ReturnType<typeof import('./machines.mjs').createMachines>} machines
 * @returns {(name: string, input: object) => Promise<object>}
 */
export const statesApi = (machines) => {
  const handlers = operations(machines)
  return async (name, input) => {
    const operation = handlers[name]
    if (!operation) throw serviceError('UnknownOperationException', `${name} is not here`)
    return operation(input)
  }
}
