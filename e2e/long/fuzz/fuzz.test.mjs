import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeInput } from './input.mjs'
import { createSecret, listing, listingChanges } from './traces.mjs'

const scratch = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-fuzz-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const samples = {
  media: { 'still.png': Buffer.alloc(500, 7), 'tone.wav': Buffer.alloc(900, 9) },
  projects: [{ name: 'one', files: { 'index.html': Buffer.from('<html><body><div data-start="1">') } }],
}

test('a seed and a number make the same input again, and others make others', () => {
  const facts = { secret: '/secret.mp4', host: '127.0.0.1:9' }
  const make = (seed, number) => JSON.stringify(makeInput(seed, number, samples, facts))
  const all = Array.from({ length: 50 }, (_, number) => make(1, number))
  expect(all).toEqual(Array.from({ length: 50 }, (_, number) => make(1, number)))
  expect(new Set(all).size).toBe(50)
  expect(make(2, 0)).not.toBe(make(1, 0))
  expect(samples.media['still.png'].every((byte) => byte === 7)).toBe(true)
})

test('a file outside that is read or changed is noticed once, and so is each change in a folder', async () => {
  const folder = await scratch()
  const file = join(folder, 'secret.mp4')
  const secret = createSecret(file, 'secret')
  expect([secret.isSeen, secret.check()]).toEqual([true, undefined])
  await readFile(file)
  expect([secret.check(), secret.check()]).toEqual(['was read', undefined])
  const before = listing(folder)
  await writeFile(file, 'other')
  expect(secret.check()).toBe('was changed')
  await writeFile(join(folder, 'new'), '')
  expect(listingChanges(before, listing(folder))).toHaveLength(3)
})
