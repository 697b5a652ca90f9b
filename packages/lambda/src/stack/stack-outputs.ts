import { fail } from '../errors.ts'
import { version } from '../version.ts'
import { type FoundStack, findOwnStack, type StackPlace, withStack } from './found-stack.ts'

/** What a stack has for those who render with it. */
export interface StackOutputs {
  readonly stackName: string
  /** Output `RenderBucketName`. */
  readonly bucketName: string
  /** Output `RenderStateMachineArn`. */
  readonly stateMachineArn: string
  /** Output `RenderFunctionArn`. */
  readonly functionArn: string
  /** Output `RenderFunctionVersion`: number of the version that new renders run; renders that run keep theirs. */
  readonly functionVersion: string
  readonly logGroupName: string
  /** SHA-256 of the function's package, or address of its image. */
  readonly packageDigest: string
  /** Version of vid that made the stack. */
  readonly version: string
  /** MB of the function, and of its /tmp. */
  readonly memoryMb: number
  readonly storageMb: number
}

/** The outputs of a stack that is complete; undefined for one that has only its bucket, or less. */
export const outputsOf = ({ name, outputs }: FoundStack): StackOutputs | undefined => {
  const { RenderBucketName, RenderStateMachineArn, RenderFunctionArn, RenderLogGroupName } = outputs
  if (!RenderBucketName || !RenderStateMachineArn || !RenderFunctionArn || !RenderLogGroupName) return undefined
  return {
    stackName: name,
    bucketName: RenderBucketName,
    stateMachineArn: RenderStateMachineArn,
    functionArn: RenderFunctionArn,
    functionVersion: outputs.RenderFunctionVersion ?? '',
    logGroupName: RenderLogGroupName,
    packageDigest: outputs.PackageDigest ?? '',
    version: outputs.VidVersion ?? '',
    memoryMb: Number(outputs.MemorySize),
    storageMb: Number(outputs.StorageSize),
  }
}

/** The outputs of a deployed stack; VID_LAMBDA_STACK_MISSING when there is none. */
export const stackOutputs = (place: StackPlace = {}): Promise<StackOutputs> =>
  withStack(place, async (session) => {
    const stack = await findOwnStack(session)
    const outputs = stack && outputsOf(stack)
    if (!outputs)
      throw fail('VID_LAMBDA_STACK_MISSING', {
        stackName: session.stackName,
        region: await session.region(),
        ...(stack && { status: stack.status }),
      })
    return outputs
  })

/** Refuses a stack that another version of vid has made: it may understand renders otherwise. */
export const checkStackVersion = ({
  stackName,
  version: ofStack,
}: Pick<StackOutputs, 'stackName' | 'version'>): void => {
  if (ofStack !== version) throw fail('VID_LAMBDA_STACK_VERSION', { stackName, ofStack, own: version })
}
