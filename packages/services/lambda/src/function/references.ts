import { checkPlan, type RenderPlan, type Static, type TSchema, type Warning } from '@vid/protocol'
import { putObject, readObjectText, type S3Bucket } from '@vid/s3'
import { digestOf } from '@vid/system'
import type { Planned } from '../contract/action-events.ts'
import { PlanRecordSchema } from '../contract/chunk-records.ts'
import { type ExecutionInput, ExecutionInputSchema, type ObjectReference } from '../contract/execution-input.ts'
import { renderKeys } from '../contract/object-keys.ts'
import { fail } from '../errors.ts'
import { requireSchema } from './events.ts'
import { checkVersion } from './version.ts'

/** Largest record in bytes: the plan of an hour takes a tenth of it. */
const MAX_RECORD_BYTES = 64 * 2 ** 20

/** Reads JSON from the bucket and verifies its digest. */
export const readReference = async <S extends TSchema>(
  place: S3Bucket,
  { key, sha256 }: ObjectReference,
  expectedKey: string,
  schema: S,
): Promise<Static<S>> => {
  if (key !== expectedKey)
    throw fail('VID_LAMBDA_ALTERED', { key, problem: `${expectedKey} is the object of this render` })
  const text = await readObjectText(place, key, MAX_RECORD_BYTES)
  if (text === undefined) throw fail('VID_LAMBDA_LOST', { key })
  const digest = digestOf(text)
  if (digest !== sha256)
    throw fail('VID_LAMBDA_ALTERED', { key, problem: `its SHA-256 is ${digest}, but should be ${sha256}` })
  return requireSchema(schema, JSON.parse(text), key)
}

/** Stores JSON; returns a reference with which later calls verify it. */
export const keepReference = async (place: S3Bucket, key: string, data: unknown): Promise<ObjectReference> => {
  const text = JSON.stringify(data)
  await putObject(place, key, text, { type: 'application/json' })
  return { key, sha256: digestOf(text) }
}

/** A planned render. */
export interface PlannedState {
  readonly input: ExecutionInput
  readonly plan: RenderPlan
  readonly warnings: readonly Warning[]
}

/** Reads a stored plan; fails if it was altered or written by another version. */
export const readPlanned = async (
  place: S3Bucket,
  { renderId, request, plan }: Pick<Planned, 'renderId' | 'request' | 'plan'>,
): Promise<PlannedState> => {
  const keys = renderKeys(renderId)
  const input = await readReference(place, request, keys.request, ExecutionInputSchema)
  checkVersion(input.version)
  const record = await readReference(place, plan, keys.plan, PlanRecordSchema)
  if (record.renderId !== renderId || input.renderId !== renderId || record.request !== request.sha256)
    throw fail('VID_LAMBDA_ALTERED', { key: plan.key, problem: 'it belongs to another render' })
  return { input, plan: checkPlan(record.plan), warnings: record.warnings }
}
