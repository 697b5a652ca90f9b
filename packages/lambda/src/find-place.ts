import { readExecutionArn, regionOfArn } from './contract/places.ts'
import { STACK_NAME } from './stack/found-stack.ts'
import { checkStackVersion, stackOutputs } from './stack/stack-outputs.ts'

/** What a caller says about the stack that renders. */
export interface PlaceQuery {
  readonly bucketName?: string | undefined
  readonly stateMachineArn?: string | undefined
  /** Name of the stack whose outputs are used for the rest; `VID_BUCKET` and `VID_SFN_ARN` are not used then. */
  readonly stackName?: string | undefined
  readonly region?: string | undefined
  /** Id of a render, or the ARN of its execution, which names its state machine. */
  readonly render?: string | undefined
}

/** Where renders run and their objects are. */
export interface Place {
  readonly bucketName: string
  readonly stateMachineArn: string
  /** Undefined for the region of the AWS environment. */
  readonly region: string | undefined
  /** MB of the function and of its /tmp, where the stack was asked. */
  readonly memoryMb?: number
  readonly storageMb?: number
}

interface Asking {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}

/** What is known without asking AWS. */
const idsOf = ({ bucketName, stateMachineArn, stackName, region, render = '' }: PlaceQuery, { env }: Asking) => {
  const { VID_BUCKET, VID_SFN_ARN } = stackName === undefined ? env : ({} as Asking['env'])
  const arn = stateMachineArn ?? readExecutionArn(render)?.stateMachineArn ?? (VID_SFN_ARN || undefined)
  return {
    bucketName: bucketName ?? (VID_BUCKET || undefined),
    stateMachineArn: arn,
    region: region ?? (arn === undefined ? undefined : regionOfArn(arn)),
  }
}

/** The outputs of the stack; one that another version of vid has deployed is refused. */
const outputsOf = async (
  { stackName = STACK_NAME, region: ownRegion }: PlaceQuery,
  region: string | undefined,
  signal: AbortSignal | undefined,
) => {
  const regionOrigin = ownRegion === undefined ? 'of the state machine' : undefined
  const outputs = await stackOutputs({ stackName, region, regionOrigin, signal })
  checkStackVersion(outputs)
  return outputs
}

/** Bucket and state machine: those of the caller, else of `VID_BUCKET` and `VID_SFN_ARN`, else of the stack. */
export const findPlace = async (query: PlaceQuery, asking: Asking): Promise<Place> => {
  const { bucketName, stateMachineArn, region } = idsOf(query, asking)
  if (bucketName !== undefined && stateMachineArn !== undefined) return { bucketName, stateMachineArn, region }
  const outputs = await outputsOf(query, region, asking.signal)
  return {
    bucketName: bucketName ?? outputs.bucketName,
    stateMachineArn: stateMachineArn ?? outputs.stateMachineArn,
    region: region ?? regionOfArn(outputs.stateMachineArn),
    memoryMb: outputs.memoryMb,
    storageMb: outputs.storageMb,
  }
}

/** The state machine alone, for what needs no bucket. */
export const findStateMachine = async (
  query: PlaceQuery,
  asking: Asking,
): Promise<Pick<Place, 'stateMachineArn' | 'region'>> => {
  const { stateMachineArn, region } = idsOf(query, asking)
  if (stateMachineArn !== undefined) return { stateMachineArn, region }
  const outputs = await outputsOf(query, region, asking.signal)
  return {
    stateMachineArn: outputs.stateMachineArn,
    region: region ?? regionOfArn(outputs.stateMachineArn),
  }
}

/** The bucket alone, for what starts no render. */
export const findBucket = async (query: PlaceQuery, asking: Asking): Promise<Omit<Place, 'stateMachineArn'>> => {
  const { bucketName, region } = idsOf(query, asking)
  if (bucketName !== undefined) return { bucketName, region }
  const outputs = await outputsOf(query, region, asking.signal)
  return { bucketName: outputs.bucketName, region: region ?? regionOfArn(outputs.stateMachineArn) }
}
