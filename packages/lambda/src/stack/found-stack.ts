import type { CloudFormationClient, StackStatus } from '@aws-sdk/client-cloudformation'
import { type AwsPlace, openCloudFormation } from '../aws-clients.ts'
import { askAws, awsErrorName } from '../aws-failure.ts'
import { fail } from '../errors.ts'
import { refuseProblems } from '../invalid-config.ts'

/** Name of a stack unless a caller gives one. */
export const STACK_NAME = 'vid-render'

/** Tells stacks of vid from others; resources of the stack carry it too. */
export const STACK_TAG = { Key: 'vid:stack', Value: 'render' } as const

/** Which stack. */
export interface StackPlace extends AwsPlace {
  /** `vid-render` if left out. */
  readonly stackName?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Where `region` comes from, for messages: `of the state machine`. */
  readonly regionOrigin?: string | undefined
}

/** A stack as CloudFormation describes it. */
export interface FoundStack {
  /** ARN, which also names a stack that is deleted. */
  readonly id: string
  readonly name: string
  readonly status: StackStatus
  readonly statusReason: string | undefined
  readonly isOurs: boolean
  readonly outputs: Readonly<Record<string, string>>
}

/** What requests about one stack need. */
export interface StackSession {
  readonly client: CloudFormationClient
  readonly stackName: string
  readonly signal: AbortSignal | undefined
  /** Region of the requests, with where it comes from: `eu-central-1 (of AWS_REGION)`. */
  region(): Promise<string>
}

/** The name of the state machine is that of the stack, and names of other resources begin with it. */
const NAME = /^[A-Za-z][A-Za-z0-9-]{0,39}$/

/** Where a region comes from that no option gives: the order is that of the libraries of AWS. */
const originOf = ({ AWS_REGION, AWS_PROFILE }: NodeJS.ProcessEnv): string =>
  AWS_REGION ? 'of AWS_REGION' : `of the AWS profile ${AWS_PROFILE || 'default'}`

/** Runs with a client for one stack. */
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

/** The stack of a name, or of an id also when it is deleted; undefined when there is none. */
export const findStack = async (
  { client, stackName, signal }: StackSession,
  id = stackName,
): Promise<FoundStack | undefined> => {
  const { DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation')
  const request = { action: 'cloudformation:DescribeStacks', subject: `the stack ${stackName}` } as const
  const answer = await askAws(request, signal, async (options) => {
    try {
      return await client.send(new DescribeStacksCommand({ StackName: id }), options)
    } catch (thrown) {
      // CloudFormation has no separate error for it.
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

/** The stack of a name if it is one of vid, undefined when there is none; a stack of somebody else is refused. */
export const findOwnStack = async (session: StackSession): Promise<FoundStack | undefined> => {
  const stack = await findStack(session)
  if (stack && !stack.isOurs) throw fail('VID_LAMBDA_STACK_FOREIGN', { stackName: session.stackName })
  return stack
}
