import { createHash } from 'node:crypto'
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3'
import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn'
import { vi } from 'vitest'
import { type Aws, startAws } from '../../packages/services/lambda/lab/aws/start.mjs'
import { type Finished, here, vid, vidInProcess } from '../support/vid.ts'

/** What the command has deployed. */
interface LambdaStack {
  readonly deployed: Finished
  readonly bucket: string
}

let endpoints: Aws | undefined
let s3: S3Client | undefined
let current: LambdaStack | undefined

/** The endpoints of AWS, which the environment of this process names. */
export const aws = (): Aws => {
  if (!endpoints) throw new Error('the endpoints of AWS were not started')
  return endpoints
}

/** The stack of all tests. */
export const stack = (): LambdaStack => {
  if (!current) throw new Error('the stack was not deployed')
  return current
}

/** Starts the endpoints in place of AWS, for this process and those that it starts. */
export const openAws = async (): Promise<void> => {
  // A start that takes long is one of a busy machine here.
  endpoints = await startAws({ retryScale: 0.05, concurrency: 2, initSeconds: 120 })
  for (const [name, value] of Object.entries(endpoints.env)) vi.stubEnv(name, value)
}

/** Ends the endpoints with everything that was deployed to them. */
export const closeAws = async (): Promise<void> => {
  vi.unstubAllEnvs()
  await endpoints?.close()
  s3?.destroy()
  s3 = undefined
  endpoints = undefined
  current = undefined
}

/** ARN of the permissions boundary of the stack's roles. */
export const BOUNDARY = 'arn:aws:iam::123456789012:policy/vid-boundary'

/** Deploys the stack, unless it is there. */
export const deployOnce = async (): Promise<void> => {
  if (current) return
  const settings = ['--tags', 'team=video,stage=test', '--tracing', '--permissions-boundary', BOUNDARY]
  const deployed = await vid(['lambda', 'deploy', ...settings], { cwd: here('..') })
  if (deployed.code !== 0) throw new Error(`the stack was not deployed:\n${deployed.stderr}`)
  current = { deployed, bucket: /RenderBucketName=(\S+)/.exec(deployed.stdout)?.[1] ?? '' }
}

/** Runs a command of `vid lambda`. */
export const lambda = (words: readonly string[], cwd = here('..')): Promise<Finished> =>
  vidInProcess(['lambda', ...words], { cwd })

/** A client of a service of AWS. */
export const clientOf = <T>(Client: new (options: object) => T, name: 'S3' | 'SFN' | 'CLOUDFORMATION'): T => {
  const { env } = aws()
  return new Client({
    region: env.AWS_REGION,
    endpoint: env[`AWS_ENDPOINT_URL_${name}`],
    credentials: { accessKeyId: env.AWS_ACCESS_KEY_ID, secretAccessKey: env.AWS_SECRET_ACCESS_KEY },
  })
}

const s3Client = () => {
  s3 ??= clientOf(S3Client, 'S3')
  return s3
}

/** Keys of the objects in the bucket below a prefix. */
export const keysBelow = async (Prefix: string): Promise<readonly string[]> => {
  const keys: string[] = []
  const client = s3Client()
  // The server lists a few objects a page.
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: stack().bucket, Prefix }))
    keys.push(...Contents.map(({ Key = '' }) => Key))
  return keys
}

/** The bytes of an object in the bucket; undefined if there is none. */
export const readBytes = async (Key: string): Promise<Buffer | undefined> => {
  const command = new GetObjectCommand({ Bucket: stack().bucket, Key })
  const reply = await s3Client()
    .send(command)
    .catch((thrown: unknown) => {
      if ((thrown as Error).name === 'NoSuchKey') return undefined
      throw thrown
    })
  return reply && Buffer.from((await reply.Body?.transformToByteArray()) ?? [])
}

/** The SHA-256 of an object in the bucket. */
export const objectDigest = async (key: string): Promise<string> =>
  createHash('sha256')
    .update((await readBytes(key)) ?? '')
    .digest('hex')

/** Executions of the state machine. */
export const executions = async () => {
  const stateMachineArn = /RenderStateMachineArn=(\S+)/.exec(stack().deployed.stdout)?.[1]
  return (await clientOf(SFNClient, 'SFN').send(new ListExecutionsCommand({ stateMachineArn }))).executions ?? []
}
