import { segmentShape } from '@vid/kernel'
import { type RenderPlan, Type, Value } from '@vid/protocol'
import { listObjects, putIfAbsent, putObject, readObjectText, removeObjects } from '@vid/s3'
import type { ExecutionInput } from '../contract/execution-input.ts'
import { claimPrefix } from '../contract/object-keys.ts'
import { fail } from '../errors.ts'
import type { CallRun } from './call-run.ts'

const ClaimSchema = Type.Object({
  renderId: Type.String(),
  chunk: Type.Integer(),
  requestId: Type.String(),
  expiresMs: Type.Number(),
})

/** Tolerance for differences between the clocks of machines, in milliseconds. */
const CLOCKS_MS = 10_000
const MAX_CLAIM_BYTES = 4096

/** Key in a claim folder that exists once a call of the batch has finished a segment of the shape. */
const FINISHED = 'finished'

/**
 * Claims the right to encode a segment of a shape first; undefined if another running call holds it. Claims are
 * numbered: an expired one is followed by the next number, which only one call gets.
 */
const claim = async (folder: string, run: CallRun): Promise<string | typeof FINISHED | undefined> => {
  const { place, call, endsMs } = run
  const names: string[] = []
  for await (const { key } of listObjects(place, folder)) names.push(key.slice(folder.length))
  if (names.includes(FINISHED)) return FINISHED
  const numbers = names.map(Number)
  const last = Math.max(-1, ...numbers.filter(Number.isInteger))
  if (last >= 0) {
    const text = await readObjectText(place, `${folder}${last}`, MAX_CLAIM_BYTES)
    // Its call has just ended.
    if (text === undefined) return claim(folder, run)
    const holder: unknown = JSON.parse(text)
    if (Value.Check(ClaimSchema, holder)) {
      // A call is repeated only after the previous one has ended.
      const isOurs = holder.renderId === call.renderId && holder.chunk === call.chunk
      if (!isOurs && holder.expiresMs > Date.now()) return undefined
    }
  }
  const key = `${folder}${last + 1}`
  const { renderId, chunk, requestId } = call
  const text = JSON.stringify({ renderId, chunk, requestId, expiresMs: endsMs + CLOCKS_MS })
  return (await putIfAbsent(place, key, text)) ? key : undefined
}

/**
 * Runs work with segments that no other call of the batch encodes at the same time: of renders that share a segment,
 * the first encodes it and the others reuse it. Fails with VID_LAMBDA_SEGMENT_CLAIMED if another call is encoding one
 * of them.
 */
export const withClaims = async <T>(
  plan: RenderPlan,
  indexes: readonly number[],
  { batchId, reuse }: Pick<ExecutionInput, 'batchId' | 'reuse'>,
  run: CallRun,
  work: () => Promise<T>,
): Promise<T> => {
  if (batchId === undefined || !reuse) return work()
  const { place } = run
  const claims: string[] = []
  const folders: string[] = []
  try {
    for (const index of indexes) {
      const segment = plan.segments[index]
      if (!segment) continue
      const folder = claimPrefix(batchId, segmentShape(plan, segment))
      if (folders.includes(folder)) continue
      const key = await claim(folder, run)
      if (key === undefined) throw fail('VID_LAMBDA_SEGMENT_CLAIMED', { segment: index })
      if (key === FINISHED) continue
      claims.push(key)
      folders.push(folder)
    }
    const result = await work()
    for (const folder of folders) await putObject(place, `${folder}${FINISHED}`, '')
    return result
  } finally {
    // The call's own time may be over; claims that remain expire.
    const { client, bucket } = place
    await removeObjects({ client, bucket, signal: AbortSignal.timeout(CLOCKS_MS) }, claims).catch(() => {})
  }
}
