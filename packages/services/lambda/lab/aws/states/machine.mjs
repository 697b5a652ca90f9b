// Runs a definition with aws-local-stepfunctions, and writes down what happens as Step Functions words it.
import { setImmediate as settled } from 'node:timers/promises'
import { ExecutionTimeoutError, StateMachine } from 'aws-local-stepfunctions'
import { runnable } from './definition.mjs'
import { checkedText, MAX_STATE_BYTES, stateError } from './errors.mjs'
import { runMap } from './map.mjs'

const INVOKE = 'arn:aws:states:::lambda:invoke'

/** One attempt of a Task: a call of the function. */
const runTask = (state, scope, chain) => async (input) => {
  const isDirect = state.Resource !== INVOKE
  const seconds = state.TimeoutSeconds
  let hasEnded = false
  const prefix = isDirect ? 'LambdaFunction' : 'Task'
  const kind = isDirect ? {} : { resourceType: 'lambda', resource: 'invoke' }
  const note = (type, details) => {
    if (!hasEnded && !scope.signal.aborted) chain.next(`${prefix}${type}`, { ...kind, ...details })
  }
  // The library ends the attempt at the same time; this timer is the older one, so that the event comes first.
  const timer =
    seconds !== undefined &&
    setTimeout(() => {
      note('TimedOut', { error: 'States.Timeout' })
      hasEnded = true
    }, seconds * 1000)
  try {
    await settled()
    if (scope.signal.aborted) throw stateError('States.Runtime', 'The execution has ended.')
    const [name, payload] = isDirect ? [state.Resource, input] : [input.FunctionName, input.Payload]
    const text = checkedText(payload, state, `'${state.Resource}' was given an input`)
    const limit = seconds !== undefined && { timeoutInSeconds: seconds }
    if (isDirect) note('Scheduled', { resource: name, input: text, ...limit })
    else note('Scheduled', { region: 'us-east-1', parameters: JSON.stringify(input), ...limit })
    if (isDirect) chain.next('LambdaFunctionStarted')
    else note('Started', {})
    const { value, fault } = await scope.call(name, text)
    if (fault) throw fault
    const output = checkedText(value, state, `'${state.Resource}' returned a result`)
    note('Succeeded', { output })
    return isDirect ? value : { ExecutedVersion: '$LATEST', Payload: value, StatusCode: 200 }
  } catch (error) {
    note('Failed', { error: error.name, cause: error.message })
    throw error
  } finally {
    clearTimeout(timer)
    hasEnded = true
  }
}

/** Writes down which states are entered and left. */
const follow = async (events, { States }, chain, onLarge) => {
  for await (const { type, state } of events) {
    if (type !== 'StateEntered' && type !== 'StateExited') continue
    const kind = States[state.name].Type
    const text = JSON.stringify(type === 'StateEntered' ? state.input : state.output)
    if (Buffer.byteLength(text) > MAX_STATE_BYTES) return onLarge(state.name)
    if (type === 'StateEntered') chain.next(`${kind}StateEntered`, { name: state.name, input: text })
    else if (kind !== 'Fail') chain.next(`${kind}StateExited`, { name: state.name, output: text })
  }
}

/**
 * Runs a machine or an iteration to its end: its output, or an error with `name` and `message`.
 * @param {object} definition
 * @param {unknown} input
 * @param {object} scope of the execution: context, signal, retryScale, call, startChild
 * @param {ReturnType<ReturnType<typeof import('./history.mjs').createHistory>['chain']>} chain
 */
export const runMachine = async (definition, input, scope, chain) => {
  const handlers = Object.fromEntries(
    Object.entries(definition.States)
      .filter(([, { Type }]) => Type === 'Task' || Type === 'Map')
      .map(([name, state]) => [
        name,
        state.Type === 'Task' ? runTask(state, scope, chain) : runMap(name, state, scope, chain, runMachine),
      ]),
  )
  const options = { validationOptions: { noValidate: true } }
  const machine = new StateMachine(runnable(definition, scope.retryScale), options)
  const run = machine.run(input, {
    overrides: { taskResourceLocalHandlers: handlers },
    context: scope.context,
  })
  let large
  const followed = follow(run.eventLogs, definition, chain, (name) => {
    large = stateError(
      'States.DataLimitExceeded',
      `The state '${name}' has data with a size exceeding the maximum number of bytes service limit.`,
    )
    run.abort()
  })
  const stop = () => run.abort()
  scope.signal.addEventListener('abort', stop)
  if (scope.signal.aborted) stop()
  try {
    return await run.result
  } catch (error) {
    if (large) throw large
    if (error instanceof ExecutionTimeoutError)
      throw Object.assign(stateError('States.Timeout', ''), { isTimeout: true })
    throw error.cause ?? error
  } finally {
    scope.signal.removeEventListener('abort', stop)
    await followed
  }
}
