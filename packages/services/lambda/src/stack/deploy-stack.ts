import { rm } from 'node:fs/promises'
import type { Parameter, Tag } from '@aws-sdk/client-cloudformation'
import { withBucket } from '@vid/s3'
import { askAws, awsErrorName } from '../aws-failure.ts'
import { fail } from '../errors.ts'
import { refuseProblems } from '../invalid-config.ts'
import { deleteStack } from './delete-stack.ts'
import {
  findOwnStack,
  STACK_TAG,
  type StackDescription,
  type StackPlace,
  type StackSession,
  withStack,
} from './find-stack.ts'
import { removeOldVersions } from './old-versions.ts'
import { type FunctionZip, readPackage, removeOldPackages, uploadPackage } from './package-object.ts'
import { finishChange, followEvents, type OnStackEvent, waitForStack } from './stack-change.ts'
import { updateFormats } from './stack-formats.ts'
import { outputsOf, type StackOutputs } from './stack-outputs.ts'
import { bucketParametersOf, parametersOf, type StackSettings, settingsProblems } from './stack-parameters.ts'
import { bucketTemplate, stackTemplate } from './template.ts'
import type { StackTemplate } from './values.ts'

/** The stack to deploy, with its function. */
export interface DeployStackOptions extends StackPlace, StackSettings {
  /** Folder to start the search for the config; the current folder if left out. */
  readonly cwd?: string
  /** Path of the config, in place of the search. */
  readonly configFile?: string
  /** Zip of the function that `buildFunctionPackage` has built, in place of the config. */
  readonly packageFile?: string
  readonly onEvent?: OnStackEvent
}

/** States of a stack that never worked, or no longer does: it must be deleted before its name can be used again. */
const DEAD: readonly string[] = ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'CREATE_FAILED', 'DELETE_FAILED']

/** States in which a stack can be updated. */
const ALIVE: readonly string[] = [
  'CREATE_COMPLETE',
  'UPDATE_COMPLETE',
  'UPDATE_ROLLBACK_COMPLETE',
  'IMPORT_COMPLETE',
  'IMPORT_ROLLBACK_COMPLETE',
]

/** The desired state of a stack. */
interface StackShape {
  readonly template: StackTemplate
  readonly parameters: Parameter[]
  readonly tags: Tag[]
}

const tagsOf = ({ tags = {} }: StackSettings): Tag[] => [
  STACK_TAG,
  ...Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
]

const requestWith = (stackName: string, { template, parameters, tags }: StackShape) => ({
  StackName: stackName,
  TemplateBody: JSON.stringify(template),
  Parameters: parameters,
  Capabilities: ['CAPABILITY_IAM' as const],
  Tags: tags,
})

/** Returns the stack in a usable state: waits for other changes, and deletes a stack that never worked. */
const settle = async (
  session: StackSession,
  onEvent: OnStackEvent | undefined,
): Promise<StackDescription | undefined> => {
  const stack = await findOwnStack(session)
  if (!stack) return undefined
  let { status } = stack
  let settled: StackDescription | undefined = stack
  if (status.endsWith('_IN_PROGRESS') && status !== 'REVIEW_IN_PROGRESS') {
    onEvent?.({ stage: 'waiting', status })
    settled = await waitForStack(session, stack.id, await followEvents(session, stack, onEvent))
    if (!settled) return undefined
    status = settled.status
  }
  if (ALIVE.includes(status)) return settled
  if (!DEAD.includes(status)) throw fail('VID_LAMBDA_STACK_STATE', { stackName: session.stackName, status })
  await deleteStack(session, stack, onEvent)
  return undefined
}

/** Creates a stack; undefined if somebody else has begun to create it. */
const createStack = async (
  session: StackSession,
  shape: StackShape,
  onEvent: OnStackEvent | undefined,
): Promise<StackDescription | undefined> => {
  const { client, stackName, signal } = session
  const { CreateStackCommand } = await import('@aws-sdk/client-cloudformation')
  const follower = await followEvents(session, undefined, onEvent)
  const command = new CreateStackCommand(requestWith(stackName, shape))
  const created = await askAws(
    { action: 'cloudformation:CreateStack', subject: `the stack ${stackName}` },
    signal,
    async (options) => {
      try {
        return await client.send(command, options)
      } catch (thrown) {
        if (awsErrorName(thrown) === 'AlreadyExistsException') return undefined
        throw thrown
      }
    },
  )
  return created && finishChange(session, created.StackId ?? stackName, follower, 'CREATE_COMPLETE')
}

/** Returns a stack that can be updated; creates it if it does not exist. */
const openStack = async (
  session: StackSession,
  shape: StackShape,
  onEvent: OnStackEvent | undefined,
): Promise<{ readonly stack: StackDescription; readonly isNew: boolean }> => {
  const existing = await settle(session, onEvent)
  if (existing) return { stack: existing, isNew: false }
  const created = await createStack(session, shape, onEvent)
  if (created) return { stack: created, isNew: true }
  const stack = await settle(session, onEvent)
  if (stack) return { stack, isNew: false }
  throw fail('VID_LAMBDA_STACK_STATE', { stackName: session.stackName, status: 'DELETE_COMPLETE' })
}

/** Limit on other changes that may begin between reading a stack and updating it. */
const MAX_OTHERS = 5
/** CloudFormation's message when another change is in progress; there is no separate error for it. */
const IS_BUSY = /is in \w+_IN_PROGRESS state/

/** Updates a stack to the template; does nothing if it is up to date. */
const updateStack = async (
  session: StackSession,
  stack: StackDescription,
  shape: StackShape,
  onEvent: OnStackEvent | undefined,
  otherChanges = 0,
): Promise<StackDescription> => {
  const { client, stackName, signal } = session
  const { UpdateStackCommand } = await import('@aws-sdk/client-cloudformation')
  const follower = await followEvents(session, stack, onEvent)
  const command = new UpdateStackCommand(requestWith(stackName, shape))
  const answer = await askAws(
    { action: 'cloudformation:UpdateStack', subject: `the stack ${stackName}` },
    signal,
    async (options) => {
      try {
        await client.send(command, options)
        return 'changing'
      } catch (thrown) {
        if (/No updates are to be performed/.test(String(thrown))) return 'same'
        if (IS_BUSY.test(String(thrown)) && otherChanges < MAX_OTHERS) return 'busy'
        throw thrown
      }
    },
  )
  if (answer === 'same') return stack
  if (answer === 'busy') {
    const settled = await settle(session, onEvent)
    if (settled) return updateStack(session, settled, shape, onEvent, otherChanges + 1)
    throw fail('VID_LAMBDA_STACK_STATE', { stackName, status: 'DELETE_COMPLETE' })
  }
  return (await finishChange(session, stack.id, follower, 'UPDATE_COMPLETE')) as StackDescription
}

const deployPackage = async (
  session: StackSession,
  options: DeployStackOptions,
  built: FunctionZip,
): Promise<StackDescription> => {
  const { onEvent, region, signal } = options
  // The package needs a bucket, and the function needs its package.
  const tags = tagsOf(options)
  const shape = { template: bucketTemplate(), parameters: bucketParametersOf(options), tags }
  const { stack } = await openStack(session, shape, onEvent)
  const bucket = { bucketName: stack.outputs.RenderBucketName ?? '', region, signal }
  const whole = { template: stackTemplate('package', options), parameters: parametersOf(options, built.sha256), tags }
  return withBucket(bucket, async (place) => {
    await uploadPackage(place, built, onEvent)
    // Another deployment may have updated the stack to its own package by now.
    const updated = await updateFormats(
      place,
      built.formats,
      () => updateStack(session, stack, whole, onEvent),
      ({ outputs }) => outputs.PackageDigest === built.sha256,
    )
    await removeOldPackages(place, [built.sha256, updated.outputs.PackageDigest ?? ''])
    return updated
  })
}

const deployImage = async (session: StackSession, options: DeployStackOptions): Promise<StackDescription> => {
  const { onEvent, region, signal } = options
  const parameters = parametersOf(options, undefined)
  const shape = { template: stackTemplate('image', options), parameters, tags: tagsOf(options) }
  const { stack, isNew } = await openStack(session, shape, onEvent)
  const bucketName = stack.outputs.RenderBucketName
  const update = () => updateStack(session, stack, shape, onEvent)
  if (isNew) return stack
  if (bucketName === undefined) return update()
  // The formats of an image are not available here.
  return withBucket({ bucketName, region, signal }, (place) => updateFormats(place, undefined, update))
}

const buildPackage = async ({ cwd = '.', configFile, signal, onEvent }: DeployStackOptions) => {
  onEvent?.({ stage: 'building' })
  const { buildFunctionPackage } = await import('../package/build-package.ts')
  const onStep = (stage: 'checking' | 'compressing', size: number) => onEvent?.({ stage, unzippedBytes: size })
  const built = await buildFunctionPackage({ cwd, configFile, onStep, ...(signal && { signal }) })
  const { bytes, unzippedBytes, parts, formats } = built
  onEvent?.({ stage: 'built', bytes, unzippedBytes, parts, formats })
  return built
}

/**
 * Deploys or updates the stack of an account and region; omitted settings get their defaults, even if the stack has
 * other values. If the signal aborts, CloudFormation continues; the next deployment waits for it.
 */
export const deployStack = async (options: DeployStackOptions = {}): Promise<StackOutputs> => {
  const { image, packageFile, signal } = options
  refuseProblems(settingsProblems(options))
  const suppliedPackage = packageFile === undefined ? undefined : await readPackage(packageFile, signal)
  return withStack(options, async (session) => {
    // Reports a foreign stack and account problems before the build.
    await findOwnStack(session)
    const built = suppliedPackage ?? (image === undefined ? await buildPackage(options) : undefined)
    try {
      const stack = built ? await deployPackage(session, options, built) : await deployImage(session, options)
      const outputs = outputsOf(stack)
      if (!outputs) throw fail('VID_LAMBDA_STACK_STATE', { stackName: stack.name, status: stack.status })
      await removeOldVersions(options, outputs)
      return outputs
    } finally {
      if (built && !suppliedPackage) await rm(built.path, { force: true })
    }
  })
}
