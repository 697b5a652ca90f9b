// The configuration of a function: what may be set, and the variables that follow from it.
import { account, region, serviceError } from '../service.mjs'

/** ARN of a function, or of one of its versions. */
export const arnOf = (name, version = LATEST) =>
  `arn:aws:lambda:${region}:${account}:function:${name}${version === LATEST ? '' : `:${version}`}`

/** The version of a function that can still be changed. */
export const LATEST = '$LATEST'
const NAMED = /^(?:arn:aws:lambda:[^:]+:\d+:function:)?([A-Za-z0-9_-]+)(?::(\$LATEST|\d+))?$/
/** Name of a function that is named by its name or its ARN, with or without a version. */
export const nameOf = (text) => NAMED.exec(text)?.[1] ?? ''
/** The version that a name or ARN ends with. */
export const versionOf = (text) => NAMED.exec(text)?.[2] ?? LATEST

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
export const configured = (input, old) => {
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
    TracingConfig: { Mode: input.TracingConfig?.Mode ?? old?.TracingConfig?.Mode ?? 'PassThrough' },
    Environment: { Variables: variables },
    Architectures: input.Architectures ?? old?.Architectures ?? ['x86_64'],
    LoggingConfig: input.LoggingConfig ?? old?.LoggingConfig,
  }
}

/** Variables of the processes of a function: those of Lambda and its own, and nothing of the caller. */
export const variablesOf = ({ FunctionName, MemorySize, Handler, Environment }, version, stream, group, keys) => ({
  LANG: 'en_US.UTF-8',
  TZ: ':UTC',
  PATH: '/var/lang/bin:/usr/local/bin:/usr/bin/:/bin:/opt/bin',
  LD_LIBRARY_PATH: '/var/lang/lib:/lib64:/usr/lib64:/var/runtime:/var/runtime/lib:/var/task:/var/task/lib:/opt/lib',
  LAMBDA_RUNTIME_DIR: '/var/runtime',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x',
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_LAMBDA_FUNCTION_NAME: FunctionName,
  AWS_LAMBDA_FUNCTION_VERSION: version,
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_LOG_GROUP_NAME: group,
  AWS_LAMBDA_LOG_STREAM_NAME: stream,
  AWS_ACCESS_KEY_ID: keys.accessKeyId,
  AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
  _HANDLER: Handler,
  ...Environment.Variables,
})
