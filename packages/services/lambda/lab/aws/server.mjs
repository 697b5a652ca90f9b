// The endpoints in one process of Node 22: `start.mjs` starts it with a JSON of options, and reads one line when it is ready.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { path } from '../../../../../scripts/workspaces.mjs'
import { errorXml, formationApi } from './formation/api.mjs'
import { createStacks } from './formation/stacks.mjs'
import { answerLambda, isLambda } from './lambda/api.mjs'
import { createFunctions } from './lambda/functions.mjs'
import { namespaces } from './lambda/sandbox.mjs'
import { createLogs } from './logs.mjs'
import { createRoles } from './roles.mjs'
import { createFront } from './s3-front.mjs'
import { listen, readBody, region, serviceError } from './service.mjs'
import { statesApi } from './states/api.mjs'
import { createMachines } from './states/machines.mjs'

const options = JSON.parse(process.argv[2] ?? '{}')
const folder = mkdtempSync(join(tmpdir(), 'vid-aws-'))

/** The S3 server: one that runs already, or the strict one of the tests in this process. */
const openStore = async () => {
  if (options.s3) return { ...options.s3, close: async () => {} }
  const { openS3, keys } = await import('../../../s3/src/fixtures/s3-server.ts')
  const server = await openS3()
  return { endpoint: server.options.endpoint, ...keys, close: server.close }
}
const store = await openStore()
const keys = { accessKeyId: store.accessKeyId, secretAccessKey: store.secretAccessKey }
const s3 = new S3Client({ endpoint: store.endpoint, region, forcePathStyle: true, credentials: keys })

const buckets = {
  create: (Bucket) => s3.send(new CreateBucketCommand({ Bucket })),
  remove: (Bucket) =>
    s3.send(new DeleteBucketCommand({ Bucket })).catch((error) => {
      throw new Error(error.name === 'BucketNotEmpty' ? 'The bucket you tried to delete is not empty' : error.message)
    }),
}
const readObject = async (Bucket, Key) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }))
  return Buffer.from(await Body.transformToByteArray())
}
/** Text of an object by its address: with the bucket in the host or in the path. */
const readUrl = async (url) => {
  const { hostname, pathname } = new URL(url)
  const [host = ''] = /^(.+)\.s3[.-]/.exec(hostname)?.slice(1) ?? []
  const [bucket, ...rest] = [...(host ? [host] : []), ...decodeURIComponent(pathname).slice(1).split('/')]
  const text = await readObject(bucket, rest.join('/')).catch(() => {
    throw serviceError('ValidationError', 'S3 error: The specified key does not exist.')
  })
  return text.toString()
}

const roles = createRoles()
const front = createFront({
  roles,
  endpoint: store.endpoint,
  put: async (Bucket, Key, Body) => void (await s3.send(new PutObjectCommand({ Bucket, Key, Body }))),
})
const logs = createLogs()
const words = options.namespaces === false ? undefined : namespaces()
const functions = createFunctions({
  folder,
  concurrency: options.concurrency ?? 1000,
  initSeconds: options.initSeconds ?? 10,
  keys,
  readObject,
  openS3: front.open,
  logs,
  machine: { words, node: process.execPath, hidden: path('') },
})
const machines = createMachines({ invoke: functions.invoke, roles, retryScale: options.retryScale ?? 1 })
const stacks = createStacks({ buckets, functions, machines, logs, roles }, readUrl)
const services = {
  AWSStepFunctions: statesApi(machines),
  Logs_20140328: async (name, input) => logs.api(name, input),
}
const answerForm = formationApi(stacks)

/** What tests see and change besides the services themselves. */
const control = {
  rules: (rules) => front.setRules(rules),
  concurrency: (value) => {
    functions.limits.account = value
  },
  age: functions.age,
  reconfigure: functions.reconfigure,
  output: ({ stack, name, value }) => {
    const output = stacks.find(stack).outputs.find(({ OutputKey }) => OutputKey === name)
    output.OutputValue = value
  },
  state: () => ({
    calls: functions.calls,
    rules: front.rules(),
    s3: front.counts,
    isConfined: words !== undefined,
    environments: functions.environments().map(({ id, isBusy, peakBytes, tmpFiles }) => ({
      id,
      isBusy,
      peakBytes,
      tmp: isBusy ? [] : tmpFiles(),
    })),
    stacks: stacks.list().map(({ name, status }) => ({ name, status })),
  }),
  logs: () => logs.all().map(({ message }) => message),
}

const isSigned = ({ headers }) => headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=') ?? false
const json = 'application/json'

const answerTarget = async (request, reply, target) => {
  const [service, name] = target.split('.')
  const text = (await readBody(request)).toString()
  if (!services[service]) throw serviceError('UnknownOperationException', `${target} is not here`)
  const output = await services[service](name, JSON.parse(text || '{}'))
  reply.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(output))
}
const answerControl = async (request, reply) => {
  const text = (await readBody(request)).toString()
  const value = await control[request.url.split('/').at(-1)](text ? JSON.parse(text) : undefined)
  reply.writeHead(200, { 'content-type': json }).end(JSON.stringify(value ?? null))
}
const answer = async (request, reply) => {
  if (request.url.startsWith('/_control/')) return answerControl(request, reply)
  if (!isSigned(request)) throw serviceError('MissingAuthenticationToken', 'Missing Authentication Token', 403)
  const target = request.headers['x-amz-target']
  if (target) return answerTarget(request, reply, target)
  if (!isLambda(request.url)) {
    const text = await answerForm((await readBody(request)).toString())
    return void reply.writeHead(200, { 'content-type': 'text/xml' }).end(text)
  }
  const [status, value, headers = {}] = await answerLambda(functions, request)
  const body = value === undefined || Buffer.isBuffer(value) ? value : JSON.stringify(value)
  reply.writeHead(status, { 'content-type': json, ...headers }).end(body)
}
const refuse = (request, reply, error) => {
  if (!error.isOfService) console.error(error)
  const { name, message, status = 500 } = error
  const id = { 'x-amzn-requestid': randomUUID() }
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return reply.writeHead(status, { 'content-type': 'text/xml', ...id }).end(errorXml(error))
  reply.writeHead(status, { 'content-type': json, 'x-amzn-errortype': name, ...id })
  reply.end(JSON.stringify({ __type: name, message, Message: message, Reason: error.Reason }))
}
const server = await listen((request, reply) => {
  answer(request, reply).catch((error) => refuse(request, reply, error))
})
const client = await front.open()
console.log(
  JSON.stringify({
    endpoint: `http://127.0.0.1:${server.port}`,
    s3: `http://127.0.0.1:${client.port}`,
    folder,
    region,
    ...keys,
  }),
)

let isEnding = false
const end = async () => {
  if (isEnding) return
  isEnding = true
  await machines.close()
  await functions.close()
  await Promise.all([server.close(), client.close(), store.close()])
  rmSync(folder, { recursive: true, force: true })
  process.exit()
}
// The end of stdin is the end of the process that started this one.
process.stdin.resume().on('end', end)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end)
