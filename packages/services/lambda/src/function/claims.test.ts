import { segmentShape } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import { createS3Client } from '@vid/s3'
import { expect, test } from 'vitest'
import type { CallRun } from './call-run.ts'
import { withClaims } from './claims.ts'
import { type Bucket, openBucket } from './fixtures/function.ts'

const digest = 'a'.repeat(64)
const segments = [
  { index: 0, start: 0, frames: 8 },
  { index: 1, start: 8, frames: 8 },
]
/** Two plans whose variables differ have segments of the same shapes. */
const planOf = (name: string) =>
  ({
    composition: { digest },
    variables: { name },
    media: [],
    audio: [],
    encoder: { name: 'encoder', settings: {} },
    segments,
    width: 64,
  }) as unknown as RenderPlan
const batch = { batchId: 'batch', reuse: true }

const callOf = async (renderId: string, more: { readonly leftMs?: number; readonly requestId?: string } = {}) => {
  const { leftMs = 60_000, requestId = renderId } = more
  const signal = new AbortController().signal
  return {
    call: { renderId, action: 'segment', chunk: 0, requestId },
    place: { client: await createS3Client(), bucket: 'videos', signal },
    signal,
    endsMs: Date.now() + leftMs,
  } as unknown as CallRun
}
const claimsOf = ({ keysBelow }: Bucket) => keysBelow('segments/claims/').filter((key) => !key.endsWith('/finished'))

/** A call that works until it is asked to end. */
const working = async (run: CallRun, plan = planOf(run.call.renderId), indexes = [0]) => {
  let finish = () => {}
  let began = () => {}
  const started = new Promise<void>((resolve) => {
    began = resolve
  })
  const done = withClaims(plan, indexes, batch, run, () => {
    began()
    return new Promise<void>((resolve) => {
      finish = resolve
    })
  })
  await Promise.race([started, done])
  return {
    end: () => {
      finish()
      return done
    },
  }
}

test('a segment that a living call of the batch renders is refused to the others, and free afterwards', async () => {
  const bucket = await openBucket()
  const first = await working(await callOf('one'))
  const claimed = { code: 'VID_LAMBDA_SEGMENT_CLAIMED', facts: { segment: 0 } }
  await expect(working(await callOf('two'))).rejects.toMatchObject(claimed)
  expect(claimsOf(bucket)).toHaveLength(1)
  await first.end()
  expect(claimsOf(bucket)).toEqual([])
  await (await working(await callOf('two'))).end()
})

test('a refused call gives back what it had claimed before', async () => {
  const bucket = await openBucket()
  const first = await working(await callOf('one'), planOf('one'), [1])
  await expect(working(await callOf('two'), planOf('two'), [0, 1])).rejects.toMatchObject({
    code: 'VID_LAMBDA_SEGMENT_CLAIMED',
  })
  expect(claimsOf(bucket)).toHaveLength(1)
  await (await working(await callOf('two'), planOf('two'), [0])).end()
  await first.end()
})

test('the claim of a call that died is taken over once its time is over, and by one call only', async () => {
  await openBucket()
  await working(await callOf('dead', { leftMs: -60_000 }))
  const tried = await Promise.allSettled(['two', 'three', 'four'].map(async (name) => working(await callOf(name))))
  const won = tried.filter(({ status }) => status === 'fulfilled')
  expect(won).toHaveLength(1)
})

test('the next attempt of a call does not wait for the claim of the one before', async () => {
  await openBucket()
  await working(await callOf('one', { requestId: 'first attempt' }))
  await (await working(await callOf('one', { requestId: 'second attempt' }))).end()
})

test('once a call of the batch has finished a segment of a shape, the others no longer wait for each other', async () => {
  const bucket = await openBucket()
  await (await working(await callOf('one'))).end()
  const two = await working(await callOf('two'))
  const three = await working(await callOf('three'))
  expect(claimsOf(bucket)).toEqual([])
  await Promise.all([two.end(), three.end()])
})

test('after a call that failed, the next one is the first', async () => {
  const bucket = await openBucket()
  const failing = withClaims(planOf('one'), [0], batch, await callOf('one'), () => Promise.reject(new Error('broken')))
  await expect(failing).rejects.toThrow('broken')
  const second = await working(await callOf('two'))
  expect(claimsOf(bucket)).toHaveLength(1)
  await expect(working(await callOf('three'))).rejects.toMatchObject({ code: 'VID_LAMBDA_SEGMENT_CLAIMED' })
  await second.end()
})

test('a segment of another video that the bucket has kept makes nobody skip the claim', async () => {
  const bucket = await openBucket()
  const shape = segmentShape(planOf('one'), segments[0] as (typeof segments)[number])
  bucket.put(`segments/segments/${shape.slice(0, 32)}/kept`, Buffer.from('{}'))
  const first = await working(await callOf('one'))
  await expect(working(await callOf('two'))).rejects.toMatchObject({ code: 'VID_LAMBDA_SEGMENT_CLAIMED' })
  expect(claimsOf(bucket)).toHaveLength(1)
  await first.end()
})
