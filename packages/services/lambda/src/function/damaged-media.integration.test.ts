import { expect, test } from 'vitest'
import { damagedPage, damagedVideo, damages } from '../../../../../scripts/dev/damaged-media.ts'
import { partOf } from '../../../../../scripts/dev/part-of.ts'
import { finalErrors } from '../workflow/final-errors.ts'
import { contextOf, inputOf, openBucket, putSite, runWorkflow, sharedFunction } from './fixtures/function.ts'

test.each(partOf(damages, 1))(
  'a video that %s is a fault of the composition, which is rendered once',
  async (damage) => {
    const bucket = await openBucket()
    const { siteId } = await putSite(bucket, { 'index.html': damagedPage, 'a.mp4': await damagedVideo(damage) })
    const { handler } = await sharedFunction()
    const { planned, result } = await runWorkflow(inputOf(siteId), handler)
    expect([planned.frames, result.frames, result.warnings]).toEqual([30, 30, 1])
    expect(bucket.objects.get(`renders/${planned.renderId}/result.json`)?.body.toString()).toContain(
      'VID_MEDIA_UNUSABLE',
    )
  },
)

test.each(partOf(damages, 1))(
  'where media must be whole, a video that %s ends the workflow at its first call',
  async (damage) => {
    const bucket = await openBucket()
    const { siteId } = await putSite(bucket, { 'index.html': damagedPage, 'a.mp4': await damagedVideo(damage) })
    const { handler } = await sharedFunction()
    const input = inputOf(siteId, { request: { format: 'mp4', fps: 30, strict: true } })
    const failure = (await handler(input, contextOf()).catch((thrown: unknown) => thrown)) as Error
    expect(JSON.parse(failure.message)).toMatchObject({ code: 'VID_MEDIA_STRICT', fault: 'render' })
    // The workflow never retries what is in this list.
    expect(finalErrors).toContain(failure.name)
  },
)
