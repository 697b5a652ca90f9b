// The program of an environment: what AWS's nodejs22.x does between the Runtime API and the handler.
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { format } from 'node:util'

const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`
const [module, method] = process.env._HANDLER.split('.')
let current

/** An error as the runtime reports it. */
const reported = (thrown) => {
  if (!(thrown instanceof Error)) return { errorType: typeof thrown, errorMessage: String(thrown), trace: [] }
  const { name, message, stack = '' } = thrown
  return { errorType: name, errorMessage: message, trace: stack.split('\n') }
}

/** Asks the Runtime API; a request for the next call waits as long as it takes. */
const ask = (method, path, body) =>
  new Promise((resolve, reject) => {
    const answered = async (reply) => {
      const chunks = []
      for await (const chunk of reply) chunks.push(chunk)
      resolve({ headers: reply.headers, body: Buffer.concat(chunks).toString() })
    }
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    request(`${api}/${path}`, { method, headers }, (reply) => void answered(reply).catch(reject))
      .on('error', reject)
      .end(body)
  })
const post = (path, body) => ask('POST', path, body)

const writeLine =
  (level) =>
  (...words) =>
    process.stdout.write(`${[new Date().toISOString(), current ?? '', level, format(...words)].join('\t')}\n`)
const levels = { log: 'INFO', info: 'INFO', warn: 'WARN', error: 'ERROR', debug: 'DEBUG', trace: 'TRACE' }
for (const [name, level] of Object.entries(levels)) console[name] = writeLine(level)

const failCall = (thrown, code) => {
  const body = JSON.stringify(thrown)
  console.error('Uncaught Exception', body)
  const path = current === undefined ? 'init/error' : `invocation/${current}/error`
  const exit = () => process.exit(code)
  post(path, body).then(exit, exit)
}
process.on('uncaughtException', (error) => failCall(reported(error), 129))
process.on('unhandledRejection', (reason) => {
  const cause = reported(reason)
  const errorMessage = `${cause.errorType}: ${cause.errorMessage}`
  failCall({ errorType: 'Runtime.UnhandledPromiseRejection', errorMessage, trace: cause.trace }, 128)
})

const loadHandler = async () => {
  const root = process.env.LAMBDA_TASK_ROOT
  const file = ['js', 'mjs', 'cjs'].map((ending) => join(root, `${module}.${ending}`)).find(existsSync)
  if (!file) {
    const missing = new Error(`Error: Cannot find module '${module}'`)
    throw Object.assign(missing, { name: 'Runtime.ImportModuleError' })
  }
  const loaded = await import(pathToFileURL(file).href)
  const handler = loaded[method] ?? loaded.default?.[method]
  if (typeof handler === 'function') return handler
  const missing = new Error(`${process.env._HANDLER} is undefined or not exported`)
  throw Object.assign(missing, { name: 'Runtime.HandlerNotFound' })
}

const contextOf = (headers) => {
  const deadlineMs = Number(headers['lambda-runtime-deadline-ms'])
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  }
}

let handler
try {
  handler = await loadHandler()
} catch (thrown) {
  await post('init/error', JSON.stringify(reported(thrown)))
  console.error(thrown)
  process.exit(1)
}
for (;;) {
  const next = await ask('GET', 'invocation/next')
  const context = contextOf(next.headers)
  current = context.awsRequestId
  const answer = async () => handler(JSON.parse(next.body), context)
  const path = `invocation/${current}`
  await answer().then(
    (value) => post(`${path}/response`, JSON.stringify(value ?? null)),
    (thrown) => {
      const error = reported(thrown)
      console.error('Invoke Error', JSON.stringify(error))
      return post(`${path}/error`, JSON.stringify(error))
    },
  )
}
