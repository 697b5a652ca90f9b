import { expect, test } from 'vitest'
import aws from './index.ts'

test('the file is brought before the upload, and the options reach it', () => {
  const { name, deliveries = [] } = aws({ bucket: 'videos', key: '{date}/{name}' })
  expect(name).toBe('aws')
  expect(deliveries.map((delivery) => delivery.name)).toEqual(['@vid/deliver-file', '@vid/deliver-s3'])
  expect(deliveries[1]?.options).toMatchObject({ bucket: 'videos', key: '{date}/{name}' })
})

test('a wrong key is refused when the config is loaded', () => {
  expect(() => aws({ bucket: 'videos', key: '/{name}' })).toThrow(
    expect.objectContaining({ code: 'VID_S3_KEY' }),
  )
})
