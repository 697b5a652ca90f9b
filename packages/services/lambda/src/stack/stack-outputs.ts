import { fail } from '../errors.ts'
import { version } from '../version.ts'
import { findOwnStack, type StackDescription, type StackPlace, withStack } from './find-stack.ts'

/** The outputs of a stack, for callers who render with it. */
export interface StackOutputs {
  readonly stackName: string
  /** Output `RenderBucketName`. */
  readonly bucketName: string
  /** Output `RenderStateMachineArn`. */
  readonly stateMachineArn: string
  /** Output `RenderFunctionArn`. */
  readonly functionArn: string
  /** Output `RenderFunctionVersion`: number of the version for new renders; running renders keep theirs. */
  readonly functionVersion: string
  readonly logGroupName: string
  /** SHA-256 of the function's package, or the address of its image. */
  readonly packageDigest: string
  /** Version of vid that deployed the stack. */
  readonly version: string
  /** Memory and /tmp of the function in MB. */
  readonly memoryMb: number
  readonly storageMb: number
}

/** The outputs of a complete stack; undefined for a stack with only its bucket, or less. */
export const outputsOf = ({ name, outputs }: StackDescription): StackOutputs | undefined => {
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

/** Reads the outputs of a deployed stack; fails with VID_LAMBDA_STACK_MISSING if there is none. */
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

/** Refuses a stack deployed by another version of vid, which may interpret renders differently. */
export const checkStackVersion = ({
  stackName,
  version: ofStack,
}: Pick<StackOutputs, 'stackName' | 'version'>): void => {
  if (ofStack !== version) throw fail('VID_LAMBDA_STACK_VERSION', { stackName, ofStack, own: version })
}
