// One execution of a state machine, from its start to its end.
import { account, region } from '../service.mjs'
import { stateError } from './errors.mjs'
import { createHistory } from './history.mjs'
import { runMachine } from './machine.mjs'

const MAX_ERROR = 256
const MAX_CAUSE = 32_768

/** ARN of something of Step Functions. */
export const statesArn = (kind, ...names) => `arn:aws:states:${region}:${account}:${kind}:${names.join(':')}`

/** How an execution ends that was thrown out of. */
const endOf = (error, record) => {
  const details = { error: error.name.slice(0, MAX_ERROR), cause: error.message.slice(0, MAX_CAUSE) }
  if (record.stopped) return ['ABORTED', 'ExecutionAborted', record.stopped]
  if (record.isFull)
    return [
      'FAILED',
      'ExecutionFailed',
      {
        error: 'States.Runtime',
        cause: 'The execution reached the maximum number of history events (25000).',
      },
    ]
  if (error.isTimeout) return ['TIMED_OUT', 'ExecutionTimedOut', {}]
  return ['FAILED', 'ExecutionFailed', details]
}

/**
 * Starts an execution.
 * @param {object} options
 * @param {object} options.machine name, arn, roleArn
 * @param {object} options.definition of the machine, or of an iteration that is an execution of its own
 * @param {string} options.arn
 * @param {string} options.name
 * @param {string} options.input JSON
 * @param {object} options.services call, retryScale, startMapRun
 */
export const startExecution = ({ machine, definition, arn, name, input, services }) => {
  const controller = new AbortController()
  const record = {
    executionArn: arn,
    stateMachineArn: machine.arn,
    name,
    status: 'RUNNING',
    startDate: Date.now() / 1000,
    input,
  }
  const stop = (details) => {
    record.stopped ??= details
    controller.abort()
  }
  const history = createHistory(() => {
    record.isFull = true
    controller.abort()
  })
  const chain = history.chain()
  chain.next('ExecutionStarted', { input, roleArn: machine.roleArn })
  const context = {
    Execution: { Id: arn, Name: name, RoleArn: machine.roleArn, RedriveCount: 0 },
    StateMachine: { Id: machine.arn, Name: machine.name },
  }
  const scope = {
    context,
    signal: controller.signal,
    retryScale: services.retryScale,
    call: (name, text) => services.call(name, text, machine.roleArn),
    startMapRun: (options) => services.startMapRun({ ...options, machine, executionArn: arn }),
  }
  const settle = async () => {
    try {
      const output = await runMachine(definition, JSON.parse(input), scope, chain)
      // The library ends a run that was stopped between two states as if it had succeeded.
      if (controller.signal.aborted) throw stateError('States.Runtime', 'The execution was stopped.')
      const text = JSON.stringify(output)
      Object.assign(record, { status: 'SUCCEEDED', output: text })
      history.end('ExecutionSucceeded', { output: text })
    } catch (error) {
      const [status, type, details] = endOf(error, record)
      Object.assign(record, { status, ...details })
      history.end(type, details)
    }
    record.stopDate = Date.now() / 1000
    return record
  }
  // What it runs stays what it was, whatever becomes of the machine.
  const began = { text: machine.text, updatedMs: machine.updatedMs ?? machine.createdMs }
  return { record, began, history, stop, done: settle() }
}
