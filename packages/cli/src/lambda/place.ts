import { findBucket, findPlace, findStateMachine, type Place } from '@vid/lambda'
import type { CliContext } from '../flags/flag-command.ts'

/** What the flags say about the stack. */
export interface PlaceFlags {
  readonly bucket?: string | undefined
  readonly 'state-machine'?: string | undefined
  readonly stack?: string | undefined
  readonly region?: string | undefined
}

const queryOf = ({ bucket, 'state-machine': stateMachineArn, stack, region }: PlaceFlags) => ({
  bucketName: bucket,
  stateMachineArn,
  stackName: stack,
  region,
})

/** The id of a render: its own, or the last part of the ARN of its execution. */
export const renderIdOf = (render: string): string => render.split(':').at(-1) ?? render

/** Bucket and state machine of the flags, the environment or the stack; `render` is an id or the ARN of an execution. */
export const placeOf = (flags: PlaceFlags, context: CliContext, render?: string): Promise<Place> =>
  findPlace({ ...queryOf(flags), render }, context)

/** The bucket alone, for what starts no render. */
export const bucketOf = (flags: PlaceFlags, context: CliContext): Promise<Omit<Place, 'stateMachineArn'>> =>
  findBucket(queryOf(flags), context)

/** The state machine alone, for what needs no bucket. */
export const stateMachineOf = (
  flags: PlaceFlags,
  context: CliContext,
): Promise<Pick<Place, 'stateMachineArn' | 'region'>> => findStateMachine(queryOf(flags), context)
