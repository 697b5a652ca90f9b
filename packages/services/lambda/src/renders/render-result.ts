import type { BesideFile } from '@vid/kernel'
import { parseAs, parseJson, schemaProblems, Type, type Warning, WarningSchema } from '@vid/protocol'
import { type NamedBucket, readObjectText, withBucket } from '@vid/s3'
import type { LambdaResult } from '../contract/action-events.ts'
import { renderKeys } from '../contract/object-keys.ts'
import { fail } from '../errors.ts'
import { downloadOutput, downloadResultPoster, fetchOutput } from './fetch-output.ts'

/** The bucket of a render. */
export type RenderBucket = NamedBucket

const MAX_BYTES = 2 ** 22

const MAX_RECORD_BYTES = 64 * 2 ** 20

const PublishedSchema = Type.Object({ segments: Type.Integer() })

const OutcomeSchema = Type.Object({ warnings: Type.Array(WarningSchema) })

/** Whether players see a segment of a render's video. */
export const hasStream = (bucket: RenderBucket, renderId: string): Promise<boolean> =>
  withBucket(bucket, async (place) => {
    const { stream: key } = renderKeys(renderId)
    const text = await readObjectText(place, key, MAX_RECORD_BYTES)
    return (parseAs(PublishedSchema, text ?? '')?.segments ?? 0) > 0
  })

/** Reads the warnings of a successful render; empty after its work objects have expired. */
export const readRenderWarnings = (bucket: RenderBucket, renderId: string): Promise<readonly Warning[]> =>
  withBucket(bucket, async (place) => {
    const { result: key } = renderKeys(renderId)
    const text = await readObjectText(place, key, MAX_BYTES)
    if (text === undefined) return []
    const outcome = parseJson(text)
    const [problem] = schemaProblems(OutcomeSchema, outcome)
    if (problem === undefined) return (outcome as { readonly warnings: readonly Warning[] }).warnings
    throw fail('VID_LAMBDA_OUTPUT_ALTERED', { uri: `s3://${bucket.bucketName}/${key}`, problem })
  })

/** Downloads the result of a render to a new file or folder, which must not exist. */
export const downloadRenderResult = (bucket: RenderBucket, result: LambdaResult, path: string): Promise<void> =>
  withBucket(bucket, (place, signal) => downloadOutput(place, result, path, signal))

/** Downloads the poster of a result to a new file beside `path`; undefined if it has none beside its video. */
export const downloadRenderPoster = (
  bucket: RenderBucket,
  result: LambdaResult,
  path: string,
): Promise<BesideFile | undefined> =>
  withBucket(bucket, (place, signal) => downloadResultPoster(place, result, path, signal))

/** Downloads the result of a render with its poster, verifies them, and moves them into place once they are complete. */
export const fetchRenderResult = (bucket: RenderBucket, result: LambdaResult, path: string): Promise<void> =>
  withBucket(bucket, (place, signal) => fetchOutput(place, result, path, signal))
