import { listObjects, removeObjects, type S3Bucket, s3Error, withBucket } from '@vid/s3'
import { prefixes } from '../contract/object-keys.ts'
import { bucketProblems } from '../contract/places.ts'
import { fail } from '../errors.ts'
import { refuseProblems } from '../invalid-config.ts'
import { deleteStack } from './delete-stack.ts'
import { findOwnStack, type StackDescription, type StackPlace, type StackSession, withStack } from './find-stack.ts'
import { followEvents, type OnStackEvent, waitForStack } from './stack-change.ts'

/** The stack to destroy, and what to do with its bucket. */
export interface DestroyStackOptions extends StackPlace {
  /**
   * What to remove from the bucket: `work` is everything that can be recreated (sites, work objects of renders,
   * segments, packages), `all` also includes the results. Nothing if left out. If the bucket is then empty, it is
   * removed.
   */
  readonly empty?: 'work' | 'all'
  /** Bucket left by an earlier stack, if the stack no longer exists. */
  readonly bucketName?: string
  readonly onEvent?: OnStackEvent
}

/** The outcome of destroying a stack. */
export interface DestroyedStack {
  readonly stackName: string
  /** The bucket and its remaining contents; null if it was removed. */
  readonly left: { readonly bucketName: string; readonly objects: number; readonly bytes: number } | null
}

const REMOVED_AT_ONCE = 1000

const isWork = (key: string) => Object.values(prefixes).some((prefix) => key.startsWith(prefix))

/** Removes objects from a bucket; resolves to what remains. */
const emptyBucket = async (
  place: S3Bucket,
  { empty, onEvent }: DestroyStackOptions,
): Promise<{ readonly objects: number; readonly bytes: number }> => {
  const removable = (key: string) => empty === 'all' || (empty === 'work' && isWork(key))
  let objects = 0
  let bytes = 0
  let removed = 0
  let batch: string[] = []
  const removeBatch = async () => {
    await removeObjects(place, batch)
    removed += batch.length
    if (batch.length > 0) onEvent?.({ stage: 'emptying', objects: removed })
    batch = []
  }
  for await (const object of listObjects(place, '')) {
    if (removable(object.key)) {
      batch.push(object.key)
      if (batch.length === REMOVED_AT_ONCE) await removeBatch()
      continue
    }
    objects += 1
    bytes += object.bytes
  }
  await removeBatch()
  return { objects, bytes }
}

const removeBucket = async ({ client, bucket, signal }: S3Bucket): Promise<void> => {
  const { DeleteBucketCommand } = await import('@aws-sdk/client-s3')
  try {
    await client.send(new DeleteBucketCommand({ Bucket: bucket }), signal ? { abortSignal: signal } : {})
  } catch (thrown) {
    signal?.throwIfAborted()
    throw s3Error(thrown, { action: 'remove', bucket, key: '' })
  }
}

/** Waits until no change of the stack is in progress; undefined if that change deleted it. */
const settle = async (
  session: StackSession,
  stack: StackDescription,
  onEvent: OnStackEvent | undefined,
): Promise<StackDescription | undefined> => {
  if (!stack.status.endsWith('_IN_PROGRESS') || stack.status === 'REVIEW_IN_PROGRESS') return stack
  onEvent?.({ stage: 'waiting', status: stack.status })
  return waitForStack(session, stack.id, await followEvents(session, stack, onEvent))
}

const checkOptions = ({ empty, bucketName }: DestroyStackOptions): void => {
  const problems = bucketName === undefined ? [] : [...bucketProblems(bucketName)]
  if (empty !== undefined && empty !== 'work' && empty !== 'all')
    problems.push({ field: 'empty', problem: `it must be work or all; got ${String(empty)}` })
  refuseProblems(problems)
}

/** Deletes the stack if it exists; resolves to the name of its bucket. */
const deleteFound = async (
  session: StackSession,
  { bucketName, onEvent }: DestroyStackOptions,
): Promise<string | undefined> => {
  const { stackName } = session
  const stack = await findOwnStack(session)
  if (!stack && bucketName === undefined)
    throw fail('VID_LAMBDA_STACK_MISSING', { stackName, region: await session.region(), isRemoval: true })
  const settled = stack && (await settle(session, stack, onEvent))
  if (settled) await deleteStack(session, settled, onEvent)
  return settled?.outputs.RenderBucketName ?? stack?.outputs.RenderBucketName ?? bucketName
}

/**
 * Destroys a stack. Running renders end at their next step. Results stay in the bucket unless their removal is
 * requested, and the bucket stays as long as it has contents.
 */
export const destroyStack = async (options: DestroyStackOptions = {}): Promise<DestroyedStack> => {
  checkOptions(options)
  const { region, signal } = options
  return withStack(options, async (session) => {
    const { stackName } = session
    const bucketName = await deleteFound(session, options)
    if (bucketName === undefined) return { stackName, left: null }
    return withBucket({ bucketName, region, signal }, async (place) => {
      const left = await emptyBucket(place, options)
      if (left.objects > 0) return { stackName, left: { bucketName, ...left } }
      await removeBucket(place)
      return { stackName, left: null }
    })
  })
}
