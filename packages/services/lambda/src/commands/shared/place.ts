import type { CommandRun } from '@vid/command'
import { findBucket, findPlace, findStateMachine, type Place } from '../../find-place.ts'

type Asking = Pick<CommandRun, 'env' | 'signal'>

/** The options that select a stack. */
export interface PlaceOptions {
  readonly bucket?: string | undefined
  readonly 'state-machine'?: string | undefined
  readonly stack?: string | undefined
  readonly region?: string | undefined
}

const queryOf = ({ bucket, 'state-machine': stateMachineArn, stack, region }: PlaceOptions) => ({
  bucketName: bucket,
  stateMachineArn,
  stackName: stack,
  region,
})

/** The id of a render: its own, or the last part of its execution ARN. */
export const renderIdOf = (render: string): string => render.split(':').at(-1) ?? render

/**
 * Finds bucket and state machine from the options, the environment or the stack; `render` is an id or an execution ARN.
 */
export const placeFromOptions = (options: PlaceOptions, context: Asking, render?: string): Promise<Place> =>
  findPlace({ ...queryOf(options), render }, context)

/** Finds only the bucket, for commands that start no render. */
export const bucketOf = (options: PlaceOptions, context: Asking): Promise<Omit<Place, 'stateMachineArn'>> =>
  findBucket(queryOf(options), context)

/** Finds only the state machine, for commands that need no bucket. */
export const stateMachineOf = (
  options: PlaceOptions,
  context: Asking,
): Promise<Pick<Place, 'stateMachineArn' | 'region'>> => findStateMachine(queryOf(options), context)
