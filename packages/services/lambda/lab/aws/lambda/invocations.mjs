// Calls of functions: in environments that are there or new, within the concurrency of the account.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { serviceError } from '../service.mjs'
import { arnOf, nameOf, variablesOf } from './configuration.mjs'
import { startEnvironment } from './environment.mjs'

const MAX_PAYLOAD_BYTES = 6_291_456
const MEBIBYTE = 2 ** 20

/** A function as it can be changed, and its versions. */
export const unitsOf = (fn) => [fn, ...fn.versions.values()]

/**
 * Calls of the functions of an account.
 * @param {Map<string, object>} functions by their names
 * @param {(name: string) => object} find
 * @param {object} options of `createFunctions`
 */
export const createInvocations = (
  functions,
  find,
  { folder, concurrency, initSeconds, keys, machine, openS3, logs },
) => {
  const limits = { account: concurrency }
  /** Calls of all functions that ended, with what they cost. */
  const calls = []

  const isThrottled = (fn) => {
    const { owner } = fn
    const environmentsOf = (owner) => unitsOf(owner).flatMap(({ environments }) => [...environments])
    const busy = environmentsOf(owner).filter(({ isBusy }) => isBusy).length
    if (owner.reserved !== undefined)
      return busy >= owner.reserved ? 'ReservedFunctionConcurrentInvocationLimitExceeded' : undefined
    const all = [...functions.values()].filter((unit) => unit.reserved === undefined).flatMap(environmentsOf)
    const reserved = [...functions.values()].reduce((sum, unit) => sum + (unit.reserved ?? 0), 0)
    const isFull = all.filter(({ isBusy }) => isBusy).length >= limits.account - reserved
    return isFull ? 'ConcurrentInvocationLimitExceeded' : undefined
  }
  const newEnvironment = async (fn) => {
    const { configuration, code, version } = fn
    const id = randomUUID()
    const group = configuration.LoggingConfig?.LogGroup ?? `/aws/lambda/${configuration.FunctionName}`
    const stream = `${new Date().toISOString().slice(0, 10).replaceAll('-', '/')}/[${version}]${id.replaceAll('-', '')}`
    const log = (line) => logs.write(group, stream, line)
    const environment = await startEnvironment({
      folder: join(folder, 'environments', id),
      initSeconds,
      log,
      machine,
      openS3,
      fn: {
        arn: arnOf(configuration.FunctionName, version),
        role: configuration.Role,
        memory: configuration.MemorySize,
        timeout: configuration.Timeout,
        tmpBytes: configuration.EphemeralStorage.Size * MEBIBYTE,
        code,
        variables: variablesOf(configuration, version, stream, group, keys),
      },
    })
    return Object.assign(environment, { log, id })
  }
  /** The environment that ran last, and runs nothing; else a new one. */
  const environmentFor = (fn) => {
    const idle = [...fn.environments].filter((environment) => !environment.isBusy && !environment.isDead).at(-1)
    if (idle) {
      fn.environments.delete(idle)
      fn.environments.add(idle)
      return idle
    }
    // Its place is taken at once, so that calls of the same moment are counted.
    const place = { isBusy: true, isDead: false, close: async () => {} }
    fn.environments.add(place)
    return newEnvironment(fn)
      .finally(() => fn.environments.delete(place))
      .then((environment) => {
        environment.isBusy = true
        environment.isRetired = place.isRetired
        fn.environments.add(environment)
        return environment
      })
  }
  /**
   * Calls a function and waits for its answer.
   * @param {string} name
   * @param {Buffer} payload
   */
  const invoke = async (name, payload) => {
    const fn = find(name)
    if (payload.length > MAX_PAYLOAD_BYTES)
      throw serviceError(
        'RequestTooLargeException',
        `${payload.length} byte payload is too large for the RequestResponse invocation type (limit ${MAX_PAYLOAD_BYTES} bytes)`,
        413,
      )
    const throttle = isThrottled(fn)
    if (throttle)
      throw Object.assign(serviceError('TooManyRequestsException', 'Rate Exceeded.', 429), {
        Reason: throttle,
      })
    const place = environmentFor(fn)
    if ('isBusy' in place) place.isBusy = true
    const environment = await place
    const requestId = randomUUID()
    environment.payload = payload
    environment.log(`START RequestId: ${requestId} Version: ${fn.version}`)
    const ended = await environment.invoke(requestId, payload)
    const { MemorySize } = fn.configuration
    const billedMs = Math.ceil(ended.initMs + ended.durationMs)
    const peak = Math.ceil(environment.peakBytes / MEBIBYTE)
    environment.log(`END RequestId: ${requestId}`)
    environment.log(
      `REPORT RequestId: ${requestId}\tDuration: ${ended.durationMs.toFixed(2)} ms\tBilled Duration: ${billedMs} ms\tMemory Size: ${MemorySize} MB\tMax Memory Used: ${peak} MB${ended.isCold ? `\tInit Duration: ${ended.initMs.toFixed(2)} ms` : ''}`,
    )
    calls.push({
      requestId,
      name: nameOf(name),
      version: fn.version,
      payload: payload.toString(),
      error: ended.functionError && ended.payload.toString(),
      billedMs,
      peak,
      isCold: ended.isCold,
    })
    if (environment.isDead || environment.isRetired) {
      fn.environments.delete(environment)
      await environment.close()
    }
    return { ...ended, requestId, version: fn.version }
  }
  return { invoke, calls, limits }
}
