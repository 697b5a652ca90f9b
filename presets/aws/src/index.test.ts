import { expect, test } from 'vitest'
import aws from './index.ts'

const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'hush-hush-hush' }

test('the file is brought before the upload, and the options reach it', () => {
  const { name, deliveries = [], store } = aws({ bucket: 'videos', key: '{date}/{name}' })
  expect(name).toBe('aws')
  expect(deliveries.map((delivery) => delivery.name)).toEqual(['@vid/deliver-file', '@vid/deliver-s3'])
  expect(deliveries[1]?.options).toMatchObject({ bucket: 'videos', key: '{date}/{name}' })
  // That of the standard preset.
  expect(store).toBeUndefined()
})

test('segments are kept in the same bucket of the same server, when they are asked for', () => {
  const server = { bucket: 'videos', region: 'eu-central-1', endpoint: 'http://127.0.0.1:9000', ...keys }
  const storeOf = (segments: boolean | string) => aws({ ...server, key: 'films/{name}', segments }).store
  expect(storeOf(true)).toMatchObject({
    name: '@vid/store-s3',
    options: { ...server, prefix: 'segments/' },
  })
  expect(storeOf('kept/by-vid/')).toMatchObject({ options: { prefix: 'kept/by-vid/' } })
  expect(storeOf(false)).toBeUndefined()
})

test('renders run here, or on the stack of the account when they are to', () => {
  expect(aws({ bucket: 'videos' })).not.toHaveProperty('target')
  const { target, targets } = aws({ bucket: 'videos', region: 'eu-central-1', lambda: true })
  expect(target).toBe('aws')
  expect(targets?.aws).toMatchObject({
    name: '@vid/target-lambda',
    options: { region: 'eu-central-1' },
  })
  const lambda = { stack: 'team', region: 'us-east-1', chunkSize: 120 }
  const preset = aws({ bucket: 'videos', region: 'eu-central-1', lambda })
  expect(preset.targets?.aws?.options).toMatchObject(lambda)
})

test('a wrong key, or a prefix that is no folder, is refused when the config is loaded', () => {
  expect(() => aws({ bucket: 'videos', key: '/{name}' })).toThrow(expect.objectContaining({ code: 'VID_S3_KEY' }))
  expect(() => aws({ bucket: 'videos', segments: '/' })).toThrow(
    expect.objectContaining({ code: 'VID_PLUGIN_OPTIONS', plugin: '@vid/store-s3' }),
  )
})
