// Functions, their environments and their calls, with the limits of Lambda.
import { createHash, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { account, region, serviceError } from '../service.mjs'
import { startEnvironment } from './environment.mjs'
import { unpackPackage } from './package.mjs'

const MAX_PAYLOAD_BYTES = 6_291_456
const MAX_ZIP_BYTES = 52_428_800
const MEBIBYTE = 2 ** 20

const arnOf = (name) => `arn:aws:lambda:${region}:${account}:function:${name}`
/** Name of a function that is named by its name or its ARN. */
export const nameOf = (text) =>
  /^(?:arn:aws:lambda:[^:]+:\d+:function:)?([A-Za-z0-9_-]+)(?::\$LATEST)?$/.exec(text)?.[1] ?? ''

const RESERVED =
  /^(?:_HANDLER|_X_AMZN_TRACE_ID|AWS_(?:DEFAULT_)?REGION|AWS_EXECUTION_ENV|AWS_LAMBDA_.*|AWS_(?:ACCESS_KEY(?:_ID)?|SECRET_ACCESS_KEY|SESSION_TOKEN)|LAMBDA_TASK_ROOT|LAMBDA_RUNTIME_DIR)$/

const within = (name, value, min, max) => {
  if (!Number.isInteger(value) || value < min || value > max)
    throw serviceError(
      'InvalidParameterValueException',
      `Value ${value} at '${name}' failed to satisfy constraint: Member must be between ${min} and ${max}`,
    )
  return value
}

/** What a configuration sets, checked; `old` has what it leaves out. */
const configured = (input, old) => {
  const runtime = input.Runtime ?? old?.Runtime
  if (runtime !== 'nodejs22.x')
    throw serviceError('InvalidParameterValueException', `The runtime ${runtime} is not here: nodejs22.x is.`)
  const variables = input.Environment?.Variables ?? old?.Environment?.Variables ?? {}
  if (Buffer.byteLength(JSON.stringify(variables)) > 4096)
    throw serviceError(
      'InvalidParameterValueException',
      'Lambda was unable to configure your environment variables because the environment variables you have provided exceeded the 4KB limit.',
    )
  const reserved = Object.keys(variables).find((name) => RESERVED.test(name))
  if (reserved)
    throw serviceError(
      'InvalidParameterValueException',
      `Lambda was unable to configure your environment variables because the environment variables you have provided contains reserved keys that are currently not supported for modification. Reserved keys used in this request: ${reserved}`,
    )
  return {
    Runtime: runtime,
    Handler: input.Handler ?? old?.Handler,
    Role: input.Role ?? old?.Role,
    Description: input.Description ?? old?.Description ?? '',
    MemorySize: within('memorySize', Number(input.MemorySize ?? old?.MemorySize ?? 128), 128, 10_240),
    Timeout: within('timeout', Number(input.Timeout ?? old?.Timeout ?? 3), 1, 900),
    EphemeralStorage: {
      Size: within(
        'ephemeralStorage.size',
        Number(input.EphemeralStorage?.Size ?? old?.EphemeralStorage?.Size ?? 512),
        512,
        10_240,
      ),
    },
    Environment: { Variables: variables },
    Architectures: input.Architectures ?? old?.Architectures ?? ['x86_64'],
    LoggingConfig: input.LoggingConfig ?? old?.LoggingConfig,
  }
}

/** Variables of the processes of a function: those of Lambda and its own, and nothing of the caller. */
const variablesOf = ({ FunctionName, MemorySize, Handler, Environment }, stream, group, keys) => ({
  LANG: 'en_US.UTF-8',
  TZ: ':UTC',
  PATH: '/var/lang/bin:/usr/local/bin:/usr/bin/:/bin:/opt/bin',
  LD_LIBRARY_PATH:
    '/var/lang/lib:/lib64:/usr/lib64:/var/runtime:/var/runtime/lib:/var/task:/var/task/lib:/opt/lib',
  LAMBDA_RUNTIME_DIR: '/var/runtime',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x',
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_LAMBDA_FUNCTION_NAME: FunctionName,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_LOG_GROUP_NAME: group,
  AWS_LAMBDA_LOG_STREAM_NAME: stream,
  AWS_ACCESS_KEY_ID: keys.accessKeyId,
  AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
  _HANDLER: Handler,
  ...Environment.Variables,
})

/**
 * The functions of an account.
 * @param {object} options
 * @param {string} options.folder where packages and environments lie
 * @param {number} options.concurrency of the account
 * @param {number} options.initSeconds
 * @param {{ accessKeyId: string, secretAccessKey: string }} options.keys of the function's role
 * @param {(bucket: string, key: string) => Promise<Buffer>} options.readObject
 * @param {object} options.machine of `startEnvironment`
 * @param {(environment: object) => Promise<object>} options.openS3
 * @param {{ write: (group: string, stream: string, message: string) => void }} options.logs
 */
export const createFunctions = ({
  folder,
  concurrency,
  initSeconds,
  keys,
  readObject,
  machine,
  openS3,
  logs,
}) => {
  const functions = new Map()
  const limits = { account: concurrency }
  /** Calls of all functions that ended, with what they cost. */
  const calls = []

  const find = (text) => {
    const found = functions.get(nameOf(text))
    if (!found)
      throw serviceError(
        'ResourceNotFoundException',
        `Function not found: ${arnOf(nameOf(text) || text)}`,
        404,
      )
    return found
  }
  const retire = (fn) => {
    for (const environment of fn.environments) {
      if (environment.isBusy) environment.isRetired = true
      else {
        fn.environments.delete(environment)
        void environment.close()
      }
    }
  }
  const loadCode = async ({ ZipFile, S3Bucket, S3Key }) => {
    const bytes = ZipFile
      ? Buffer.from(ZipFile, 'base64')
      : await readObject(S3Bucket, S3Key).catch((error) => {
          throw serviceError(
            'InvalidParameterValueException',
            `Error occurred while GetObject. S3 Error Code: ${error.name}. S3 Error Message: ${error.message}`,
          )
        })
    if (ZipFile && bytes.length > MAX_ZIP_BYTES)
      throw serviceError(
        'RequestEntityTooLargeException',
        `Request must be smaller than ${MAX_ZIP_BYTES} bytes for the CreateFunction operation`,
        413,
      )
    const code = join(folder, 'packages', randomUUID())
    try {
      await unpackPackage(bytes, code)
    } catch (error) {
      rmSync(code, { recursive: true, force: true })
      throw error
    }
    return { code, CodeSize: bytes.length, CodeSha256: createHash('sha256').update(bytes).digest('base64') }
  }
  const removeCode = (fn) => rmSync(fn.code, { recursive: true, force: true })

  const describe = ({ configuration, CodeSize, CodeSha256, modified }) => ({
    ...configuration,
    FunctionArn: arnOf(configuration.FunctionName),
    CodeSize,
    CodeSha256,
    Version: '$LATEST',
    LastModified: modified,
    PackageType: 'Zip',
    State: 'Active',
    LastUpdateStatus: 'Successful',
  })
  const now = () => new Date().toISOString().replace('Z', '+0000')

  const create = async (input) => {
    const { FunctionName } = input
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(FunctionName ?? ''))
      throw serviceError(
        'ValidationException',
        `Value '${FunctionName}' at 'functionName' failed to satisfy constraint`,
      )
    if (functions.has(FunctionName))
      throw serviceError('ResourceConflictException', `Function already exist: ${FunctionName}`, 409)
    const configuration = { FunctionName, ...configured(input) }
    const fn = { configuration, environments: new Set(), modified: now(), ...(await loadCode(input.Code)) }
    functions.set(FunctionName, fn)
    return describe(fn)
  }
  const updateCode = async (name, input) => {
    const fn = find(name)
    // The old code stays: environments that are busy still read it.
    Object.assign(fn, await loadCode(input), { modified: now() })
    retire(fn)
    return describe(fn)
  }
  const updateConfiguration = (name, input) => {
    const fn = find(name)
    fn.configuration = { FunctionName: fn.configuration.FunctionName, ...configured(input, fn.configuration) }
    fn.modified = now()
    retire(fn)
    return describe(fn)
  }
  const remove = async (name) => {
    const fn = find(name)
    functions.delete(fn.configuration.FunctionName)
    await Promise.all([...fn.environments].map((each) => each.close()))
    removeCode(fn)
  }

  const isThrottled = (fn) => {
    const busy = [...fn.environments].filter(({ isBusy }) => isBusy).length
    if (fn.reserved !== undefined)
      return busy >= fn.reserved ? 'ReservedFunctionConcurrentInvocationLimitExceeded' : undefined
    const all = [...functions.values()]
      .filter((each) => each.reserved === undefined)
      .flatMap((each) => [...each.environments])
    const reserved = [...functions.values()].reduce((sum, each) => sum + (each.reserved ?? 0), 0)
    const isFull = all.filter(({ isBusy }) => isBusy).length >= limits.account - reserved
    return isFull ? 'ConcurrentInvocationLimitExceeded' : undefined
  }
  const newEnvironment = async (fn) => {
    const { configuration, code } = fn
    const id = randomUUID()
    const group = configuration.LoggingConfig?.LogGroup ?? `/aws/lambda/${configuration.FunctionName}`
    const stream = `${new Date().toISOString().slice(0, 10).replaceAll('-', '/')}/[$LATEST]${id.replaceAll('-', '')}`
    const log = (line) => logs.write(group, stream, line)
    const environment = await startEnvironment({
      folder: join(folder, 'environments', id),
      initSeconds,
      log,
      machine,
      openS3,
      fn: {
        arn: arnOf(configuration.FunctionName),
        role: configuration.Role,
        memory: configuration.MemorySize,
        timeout: configuration.Timeout,
        tmpBytes: configuration.EphemeralStorage.Size * MEBIBYTE,
        code,
        variables: variablesOf(configuration, stream, group, keys),
      },
    })
    return Object.assign(environment, { log, id })
  }
  /** The environment that ran last, and runs nothing; else a new one. */
  const environmentFor = (fn) => {
    const idle = [...fn.environments].filter((each) => !each.isBusy && !each.isDead).at(-1)
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
      .then((made) => {
        made.isBusy = true
        made.isRetired = place.isRetired
        fn.environments.add(made)
        return made
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
    const found = environmentFor(fn)
    if ('isBusy' in found) found.isBusy = true
    const environment = await found
    const requestId = randomUUID()
    environment.payload = payload
    environment.log(`START RequestId: ${requestId} Version: $LATEST`)
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
    return { ...ended, requestId }
  }

  return {
    create,
    updateCode,
    updateConfiguration,
    remove,
    get: (name) => {
      const fn = find(name)
      return {
        Configuration: describe(fn),
        Code: { RepositoryType: 'S3', Location: '' },
        Tags: {},
        ...(fn.reserved !== undefined && { Concurrency: { ReservedConcurrentExecutions: fn.reserved } }),
      }
    },
    reserve: (name, value) => {
      find(name).reserved = value
    },
    invoke,
    calls,
    limits,
    environments: () => [...functions.values()].flatMap((fn) => [...fn.environments]),
    close: async () => {
      await Promise.all([...functions.keys()].map((name) => remove(name)))
    },
  }
}
