import { createS3Client, putObject } from '@vid/s3'
import { expect, test } from 'vitest'
import { openBucket } from './fixtures/function.ts'
import { removingLateWork } from './work-objects.ts'

const json = { type: 'application/json' }

test('what a call puts after its render was given up is removed again, whether the call succeeds or fails', async () => {
  const { keysBelow } = await openBucket()
  const place = { client: await createS3Client(), bucket: 'videos' }
  const put = (key: string) => putObject(place, `renders/late/${key}`, '{}', json)
  await removingLateWork(place, 'late', () => put('segments/0-a'))
  expect(keysBelow('renders/late/')).toEqual(['renders/late/segments/0-a'])
  await put('failure.json')
  await removingLateWork(place, 'late', () => put('segments/1-b'))
  const failing = removingLateWork(place, 'late', async () => {
    await put('segments/2-c')
    throw new Error('it fails')
  })
  await expect(failing).rejects.toThrow('it fails')
  expect(keysBelow('renders/late/')).toEqual(['renders/late/failure.json'])
})
