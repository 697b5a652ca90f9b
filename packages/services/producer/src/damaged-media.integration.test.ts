import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { damagedPage, damagedVideo, damages } from '../../../../scripts/dev/damaged-media.ts'
import { makeFolder, startProducer } from './fixtures/producer.ts'

test.each(damages)('a video that %s is a fault of the composition, which is rendered once', async (damage) => {
  const cwd = await makeFolder({ 'damaged/index.html': damagedPage })
  await writeFile(join(cwd, 'damaged/a.mp4'), await damagedVideo(damage))
  const { post, lines } = await startProducer({ cwd })
  const reply = await post('/render', { projectDir: 'damaged' })
  const { success, frames, warnings } = await reply.json()
  expect([reply.status, success, frames]).toEqual([200, true, 30])
  expect(warnings.map(({ code }: { readonly code: string }) => code)).toEqual(['VID_MEDIA_UNUSABLE'])
  expect(JSON.stringify(warnings)).not.toContain(cwd)
  expect(lines.join('')).not.toMatch(/"level":"(?:warn|error)"/)
})

test.each(damages)('where media must be whole, a video that %s fails the render by its own fault', async (damage) => {
  const cwd = await makeFolder({ 'damaged/index.html': damagedPage })
  await writeFile(join(cwd, 'damaged/a.mp4'), await damagedVideo(damage))
  await mkdir(join(cwd, 'renders'))
  await writeFile(join(cwd, 'vid.config.json'), '{ "render": { "strict": true } }')
  const { post, lines } = await startProducer({ cwd })
  const reply = await post('/render', { projectDir: 'damaged' })
  const { error } = await reply.json()
  expect([reply.status, error.code, error.fault]).toEqual([500, 'VID_MEDIA_STRICT', 'render'])
  expect(lines.filter((line) => line.includes('"status":"failed"'))).toHaveLength(1)
})
