// State machines and their executions, with the rules of Step Functions.
import { randomUUID } from 'node:crypto'
import aslValidator from 'asl-validator'
import { serviceError } from '../service.mjs'
import { unsupported } from './definition.mjs'
import { stateError } from './errors.mjs'
import { startExecution, statesArn } from './execution.mjs'

const MAX_INPUT_BYTES = 262_144
const MAX_DEFINITION_BYTES = 1_048_576
const NAME = /^[^\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]{1,80}$/u

const checkName = (name) => {
  if (!NAME.test(name)) throw serviceError('InvalidName', `Invalid Name: '${name}'`)
}

const checkDefinition = (text) => {
  const invalid = (problem) => serviceError('InvalidDefinition', `Invalid State Machine Definition: '${problem}'`)
  if (Buffer.byteLength(text) > MAX_DEFINITION_BYTES) throw invalid('it is longer than 1048576 bytes')
  let definition
  try {
    definition = JSON.parse(text)
  } catch (error) {
    throw invalid(error.message)
  }
  const { isValid, errorsText } = aslValidator(definition, { checkArn: true, checkPaths: true })
  if (!isValid) throw invalid(errorsText('; '))
  const unknown = unsupported(definition)
  if (unknown.length > 0) throw invalid(`${unknown.join(', ')}: this endpoint of the tests does not do it as AWS does`)
  return definition
}

/** Calls the function of a Task; a failure is an error of the state. */
const callFunction = (invoke, roles) => async (arn, text, roleArn) => {
  const fault = (name, cause) => ({ fault: stateError(name, cause) })
  try {
    roles.check(roleArn, 'lambda:InvokeFunction', arn)
    const { functionError, payload } = await invoke(arn, Buffer.from(text))
    const body = payload.toString()
    if (!functionError) return { value: JSON.parse(body) }
    const { errorType } = JSON.parse(body)
    return fault(errorType || 'Lambda.Unknown', body)
  } catch (error) {
    if (!error.isOfService) throw error
    const cause = `${error.message} (Service: Lambda, Status Code: ${error.status}, Request ID: ${randomUUID()})`
    return fault(`Lambda.${error.name}`, cause)
  }
}

/**
 * @param {object} options
 * @param {(arn: string, payload: Buffer) => Promise<object>} options.invoke
 * @param {ReturnType<typeof import('../roles.mjs').createRoles>} options.roles
 * @param {number} options.retryScale
 */
export const createMachines = ({ invoke, roles, retryScale }) => {
  const machines = new Map()
  /** Executions by their ARN, those of Map runs too. */
  const executions = new Map()
  const mapRuns = new Map()

  const find = (arn) => {
    if (!/^arn:aws:states:[^:]+:\d+:stateMachine:./.test(arn ?? ''))
      throw serviceError('InvalidArn', `Invalid Arn: 'Resource type not valid in this context: ${arn}'`)
    const machine = machines.get(arn)
    if (!machine) throw serviceError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`)
    return machine
  }
  const findExecution = (arn) => {
    if (!/^arn:aws:states:[^:]+:\d+:execution:./.test(arn ?? ''))
      throw serviceError('InvalidArn', `Invalid Arn: '${arn}'`)
    const execution = executions.get(arn)
    if (!execution) throw serviceError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`)
    return execution
  }

  const startMapRun = ({ name, length, atOnce, machine, executionArn }) => {
    const id = randomUUID()
    const record = {
      mapRunArn: statesArn('mapRun', `${machine.name}/${name}`, id),
      executionArn,
      stateMachineArn: machine.arn,
      status: 'RUNNING',
      startDate: Date.now() / 1000,
      maxConcurrency: atOnce,
      toleratedFailureCount: 0,
      toleratedFailurePercentage: 0,
      length,
      children: [],
    }
    mapRuns.set(record.mapRunArn, record)
    const startChild = async (definition, input, signal) => {
      const child = randomUUID()
      roles.check(machine.roleArn, 'states:StartExecution', machine.arn)
      const arn = statesArn('execution', `${machine.name}/${name}`, child)
      const iteration = startExecution({
        machine,
        definition,
        arn,
        name: child,
        input: JSON.stringify(input),
        services,
      })
      iteration.record.mapRunArn = record.mapRunArn
      executions.set(arn, iteration)
      record.children.push(iteration.record)
      const stop = () => iteration.stop({})
      signal.addEventListener('abort', stop)
      const { status, output, error, cause } = await iteration.done
      signal.removeEventListener('abort', stop)
      if (status !== 'SUCCEEDED') throw stateError(error ?? status, cause ?? '')
      return JSON.parse(output)
    }
    const end = (status) => {
      Object.assign(record, { status, stopDate: Date.now() / 1000 })
      for (const { executionArn } of record.children) executions.get(executionArn).stop({})
    }
    return { arn: record.mapRunArn, startChild, end }
  }
  const services = { call: callFunction(invoke, roles), retryScale, startMapRun }

  const create = ({ name, definition, roleArn, type = 'STANDARD' }) => {
    checkName(name)
    if (type !== 'STANDARD')
      throw serviceError('StateMachineTypeNotSupported', `State machines of the type ${type} are not here`)
    const arn = statesArn('stateMachine', name)
    const old = machines.get(arn)
    if (old && (old.text !== definition || old.roleArn !== roleArn))
      throw serviceError('StateMachineAlreadyExists', `State Machine Already Exists: '${arn}'`)
    const machine = old ?? {
      name,
      arn,
      roleArn,
      text: definition,
      definition: checkDefinition(definition),
      createdMs: Date.now(),
    }
    machines.set(arn, machine)
    return machine
  }
  const update = (arn, { definition, roleArn }) => {
    const machine = find(arn)
    if (definition !== undefined) Object.assign(machine, { definition: checkDefinition(definition), text: definition })
    if (roleArn !== undefined) machine.roleArn = roleArn
    machine.updatedMs = Date.now()
    return machine
  }
  const remove = (arn) => {
    machines.delete(arn)
    for (const { record, stop } of executions.values()) if (record.stateMachineArn === arn) stop({})
  }
  const start = (machineArn, name, input) => {
    const machine = find(machineArn)
    checkName(name)
    if (Buffer.byteLength(input) > MAX_INPUT_BYTES)
      throw serviceError(
        'ValidationException',
        `1 validation error detected: Value at 'input' failed to satisfy constraint: Member must have length less than or equal to ${MAX_INPUT_BYTES}`,
      )
    try {
      JSON.parse(input)
    } catch (error) {
      throw serviceError('InvalidExecutionInput', `Invalid State Machine Execution Input: '${error.message}'`)
    }
    const arn = statesArn('execution', machine.name, name)
    const old = executions.get(arn)
    if (old && (old.record.status !== 'RUNNING' || old.record.input !== input))
      throw serviceError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`)
    const execution = old ?? startExecution({ machine, definition: machine.definition, arn, name, input, services })
    executions.set(arn, execution)
    return execution.record
  }
  return {
    create,
    update,
    remove,
    find,
    start,
    findExecution,
    machines: () => [...machines.values()],
    executions: () => [...executions.values()],
    mapRuns: () => [...mapRuns.values()],
    close: async () => {
      for (const { stop } of executions.values()) stop({})
      await Promise.all([...executions.values()].map(({ done }) => done))
    },
  }
}
