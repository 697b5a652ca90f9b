import { readExecutionArn, regionOfArn } from './contract/places.ts'
import { STACK_NAME } from './stack/find-stack.ts'
import { checkStackVersion, stackOutputs } from './stack/stack-outputs.ts'

/** A caller's selection of a stack. */
export interface PlaceQuery {
  readonly bucketName?: string | undefined
  readonly stateMachineArn?: string | undefined
  /** Name of the stack whose outputs supply what is left out; overrides `VID_BUCKET` and `VID_SFN_ARN`. */
  readonly stackName?: string | undefined
  readonly region?: string | undefined
  /** Id of a render, or its execution ARN, which contains the state machine's name. */
  readonly render?: string | undefined
}

/** The location of renders and their objects. */
export interface Place {
  readonly bucketName: string
  readonly stateMachineArn: string
  /** Undefined for the region of the AWS environment. */
  readonly region: string | undefined
  /** Memory and /tmp of the function in MB, if the stack was queried. */
  readonly memoryMb?: number
  readonly storageMb?: number
}

interface Asking {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}

/** The values that are available without asking AWS. */
const idsOf = ({ bucketName, stateMachineArn, stackName, region, render = '' }: PlaceQuery, { env }: Asking) => {
  const { VID_BUCKET, VID_SFN_ARN } = stackName === undefined ? env : ({} as Asking['env'])
  const arn = stateMachineArn ?? readExecutionArn(render)?.stateMachineArn ?? (VID_SFN_ARN || undefined)
  return {
    bucketName: bucketName ?? (VID_BUCKET || undefined),
    stateMachineArn: arn,
    region: region ?? (arn === undefined ? undefined : regionOfArn(arn)),
  }
}

/** Reads the outputs of the stack; refuses a stack deployed by another version of vid. */
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

/** Finds bucket and state machine. Precedence: caller > `VID_BUCKET` and `VID_SFN_ARN` > stack. */
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

/** Finds only the state machine, for callers that need no bucket. */
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

/** Finds only the bucket, for callers that start no render. */
export const findBucket = async (query: PlaceQuery, asking: Asking): Promise<Omit<Place, 'stateMachineArn'>> => {
  const { bucketName, region } = idsOf(query, asking)
  if (bucketName !== undefined) return { bucketName, region }
  const outputs = await outputsOf(query, region, asking.signal)
  return { bucketName: outputs.bucketName, region: region ?? regionOfArn(outputs.stateMachineArn) }
}
