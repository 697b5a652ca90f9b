import type { CloudFormationClient, StackStatus } from '@aws-sdk/client-cloudformation'
import { type AwsPlace, openCloudFormation } from '../aws-clients.ts'
import { askAws, awsErrorName } from '../aws-failure.ts'
import { fail } from '../errors.ts'
import { refuseProblems } from '../invalid-config.ts'

/** Default name of a stack. */
export const STACK_NAME = 'vid-render'

/** Identifies vid's stacks; the resources of a stack carry it too. */
export const STACK_TAG = { Key: 'vid:stack', Value: 'render' } as const

/** Selects a stack. */
export interface StackPlace extends AwsPlace {
  /** `vid-render` if left out. */
  readonly stackName?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Origin of `region` for messages: `of the state machine`. */
  readonly regionOrigin?: string | undefined
}

/** A stack as CloudFormation describes it. */
export interface StackDescription {
  /** ARN, which also identifies a deleted stack. */
  readonly id: string
  readonly name: string
  readonly status: StackStatus
  readonly statusReason: string | undefined
  readonly isOurs: boolean
  readonly outputs: Readonly<Record<string, string>>
}

/** The context of requests about one stack. */
export interface StackSession {
  readonly client: CloudFormationClient
  readonly stackName: string
  readonly signal: AbortSignal | undefined
  /** Region of the requests with its origin: `eu-central-1 (of AWS_REGION)`. */
  region(): Promise<string>
}

/** The state machine has the name of the stack, and the names of other resources begin with it. */
const NAME = /^[A-Za-z][A-Za-z0-9-]{0,39}$/

/** Origin of a region that no option sets, in the order of the AWS libraries. */
const originOf = ({ AWS_REGION, AWS_PROFILE }: NodeJS.ProcessEnv): string =>
  AWS_REGION ? 'of AWS_REGION' : `of the AWS profile ${AWS_PROFILE || 'default'}`

/** Runs work with a client for one stack. */
export const withStack = async <T>(
  { stackName = STACK_NAME, region, signal, regionOrigin = 'as given' }: StackPlace,
  work: (session: StackSession) => Promise<T>,
): Promise<T> => {
  if (!NAME.test(stackName))
    refuseProblems([
      {
        field: 'stackName',
        problem: `it must begin with a letter and have at most 40 letters, digits and -; got ${JSON.stringify(stackName)}`,
      },
    ])
  const client = await openCloudFormation({ region })
  try {
    const origin = region === undefined ? originOf(process.env) : regionOrigin
    const regionText = async () => `${await client.config.region()} (${origin})`
    return await work({ client, stackName, signal, region: regionText })
  } finally {
    client.destroy()
  }
}

/** Finds a stack by name, or by id, which also finds a deleted one; undefined if there is none. */
export const findStack = async (
  { client, stackName, signal }: StackSession,
  id = stackName,
): Promise<StackDescription | undefined> => {
  const { DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation')
  const request = { action: 'cloudformation:DescribeStacks', subject: `the stack ${stackName}` } as const
  const answer = await askAws(request, signal, async (options) => {
    try {
      return await client.send(new DescribeStacksCommand({ StackName: id }), options)
    } catch (thrown) {
      // CloudFormation has no separate error for a missing stack.
      if (awsErrorName(thrown) === 'ValidationError' && /does not exist/.test(String(thrown))) return undefined
      throw thrown
    }
  })
  const [stack] = answer?.Stacks ?? []
  if (!stack?.StackStatus) return undefined
  return {
    id: stack.StackId ?? id,
    name: stackName,
    status: stack.StackStatus,
    statusReason: stack.StackStatusReason,
    isOurs: (stack.Tags ?? []).some(({ Key, Value }) => Key === STACK_TAG.Key && Value === STACK_TAG.Value),
    outputs: Object.fromEntries(
      (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    ),
  }
}

/** Finds vid's stack by name; undefined if there is none. Refuses a stack of somebody else. */
export const findOwnStack = async (session: StackSession): Promise<StackDescription | undefined> => {
  const stack = await findStack(session)
  if (stack && !stack.isOurs) throw fail('VID_LAMBDA_STACK_FOREIGN', { stackName: session.stackName })
  return stack
}
