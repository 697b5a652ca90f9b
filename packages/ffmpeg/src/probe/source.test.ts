import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../fixtures/sliding-bar.ts'
import { probeMedia, readSource } from '../index.ts'

/** Frames of AAC in stereo at 48 kHz whose heads are right, and whose sound is not. */
const damagedAac = () => {
  const frame = Buffer.alloc(100)
  frame.set([0xff, 0xf1, 0x4c, 0x80, 0x0c, 0x9f, 0xfc])
  return Buffer.concat(Array<Buffer>(20).fill(frame))
}

test('a sound stream whose head is damaged is no sound: a plan of it would not be valid', async () => {
  const file = join(await scratch(), 'tone.aac')
  await writeFile(file, damagedAac())
  const { audio } = await probeMedia(file)
  expect(audio).toMatchObject([{ codec: 'aac', sampleRate: 0 }])
  expect(await readSource(file)).toMatchObject({ picture: null, sound: null })
})
