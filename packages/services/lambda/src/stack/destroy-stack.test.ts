import { expect, test } from 'vitest'
import { completeOutputs, startFormation } from '../fixtures/formation.ts'
import { destroyStack } from '../index.ts'

const outputKeys = ['outputs/film.mp4', 'videos/mine.mp4']
const work = ['sites/a/project.zip', 'renders/film/plan.json', 'segments/x', 'functions/y.zip']

/** A stack that works, with work and results in its bucket. */
const start = async (failing?: Readonly<Record<string, string>>) => {
  const formation = await startFormation(failing)
  formation.make({ status: 'UPDATE_COMPLETE', outputs: completeOutputs })
  for (const key of [...work, ...outputKeys])
    formation.s3.objects.set(key, { body: Buffer.from('12345'), type: undefined, writtenMs: 0 })
  return formation
}

test('the bucket stays with all that is in it unless it is to be emptied', async () => {
  const { s3, find } = await start()
  expect(await destroyStack()).toEqual({
    stackName: 'vid-render',
    left: { bucketName: 'videos', objects: 6, bytes: 30 },
  })
  expect(find('vid-render')).toBeUndefined()
  expect(s3.objects.size).toBe(6)
})

test('what can be made again is removed, and results stay wherever they are', async () => {
  const { s3 } = await start()
  expect(await destroyStack({ empty: 'work' })).toMatchObject({ left: { objects: 2, bytes: 10 } })
  expect([...s3.objects.keys()]).toEqual(outputKeys)
})

test('with its results removed, the bucket is gone too', async () => {
  const { s3 } = await start()
  expect(await destroyStack({ empty: 'all' })).toEqual({ stackName: 'vid-render', left: null })
  expect(s3.buckets.has('videos')).toBe(false)
})

test('a bucket that an earlier stack has left is emptied and removed by its name', async () => {
  const { s3 } = await start()
  await destroyStack()
  expect(await destroyStack({ bucketName: 'videos', empty: 'work' })).toMatchObject({ left: { objects: 2 } })
  expect(await destroyStack({ bucketName: 'videos', empty: 'all' })).toMatchObject({ left: null })
  expect(s3.buckets.has('videos')).toBe(false)
  await expect(destroyStack({ bucketName: 'No' })).rejects.toMatchObject({ field: 'bucketName' })
})

test('a stack that is gone is no reason to deploy one, and says how what it has left is removed', async () => {
  await start()
  await destroyStack()
  await expect(destroyStack({ empty: 'all' })).rejects.toMatchObject({
    code: 'VID_LAMBDA_STACK_MISSING',
    message: 'There is no stack vid-render in the region eu-central-1 (of AWS_REGION).',
    hint: expect.stringMatching(/^(?!.*deploy).*aws s3 rb s3:\/\/BUCKET --force/),
  })
})

test('objects stay when the stack could not be deleted', async () => {
  const { s3 } = await start({ DELETE: 'The function is in use' })
  await expect(destroyStack({ empty: 'all' })).rejects.toMatchObject({
    code: 'VID_LAMBDA_STACK_FAILED',
    message: expect.stringContaining('The function is in use'),
  })
  expect(s3.objects.size).toBe(6)
})

test('no other stack is destroyed', async () => {
  const { make, changes } = await startFormation()
  await expect(destroyStack()).rejects.toMatchObject({ code: 'VID_LAMBDA_STACK_MISSING' })
  make({ status: 'CREATE_COMPLETE', tags: [] })
  await expect(destroyStack({ empty: 'all' })).rejects.toMatchObject({ code: 'VID_LAMBDA_STACK_FOREIGN' })
  await expect(destroyStack({ empty: 'yes' as never })).rejects.toMatchObject({ field: 'empty' })
  expect(changes()).toEqual([])
})
