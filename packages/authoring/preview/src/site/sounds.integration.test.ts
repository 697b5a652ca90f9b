import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeSound, findFfmpeg, SAMPLE_RATE } from '@vid/ffmpeg'
import { findProjectFile } from '@vid/system'
import { toneFile } from '@vid/testkit'
import { expect, test } from 'vitest'
import { makeProject } from '../fixtures/open-preview.ts'
import { openSounds } from './sounds.ts'

const { signal } = new AbortController()

/** The sounds of a folder with a tone of 22 seconds that begins after 19.95. */
const open = async () => {
  const folder = await makeProject()
  const { file } = await toneFile(folder, { seconds: 22, onset: 19.95 })
  const scratch = join(folder, 'scratch')
  await mkdir(scratch)
  const sounds = openSounds({ source: (src) => findProjectFile(folder, src) }, { scratch, signal })
  const read = async (src: string, from: number, count: number) => {
    const bytes = await sounds.read({ src, from, count })
    return bytes && [...new Float32Array(new Uint8Array(bytes).buffer)]
  }
  return { folder, file, scratch, read }
}

test('a part of a sound is what a render decodes, also where two blocks meet and after the end', async () => {
  const { folder, file, read } = await open()
  const from = Math.round(19.9 * SAMPLE_RATE)
  const samples = SAMPLE_RATE / 5
  const output = join(folder, 'whole')
  await decodeSound({ file, from, samples, output, signal, tools: await findFfmpeg() })
  const decoded = [...new Float32Array(new Uint8Array(await readFile(output)).buffer)]
  const part = await read('tone.wav', from, samples)
  expect(part).toEqual(decoded)
  expect(Math.max(...(part ?? []))).toBeGreaterThan(0.4)
  expect(part?.slice(0, 1000).every((value) => Math.abs(value) < 0.02)).toBe(true)
  expect(await read('tone.wav', 22 * SAMPLE_RATE, 3)).toEqual([0, 0, 0, 0, 0, 0])
  expect(await read('tone.wav', 900 * SAMPLE_RATE, 1)).toEqual([0, 0])
})

test('what has no sound has no part, and a source that has changed is decoded anew', async () => {
  const { folder, file, read } = await open()
  await writeFile(join(folder, 'note.wav'), 'no sound')
  expect(await read('note.wav', 0, 1)).toBeUndefined()
  expect(await read('gone.wav', 0, 1)).toBeUndefined()
  const [silent = 0] = (await read('tone.wav', 100, 1)) ?? []
  expect(Math.abs(silent)).toBeLessThan(0.02)
  await rm(file)
  await toneFile(folder, { seconds: 1, onset: 0 })
  const loud = (await read('tone.wav', 0, 2000)) ?? []
  expect(Math.max(...loud)).toBeGreaterThan(0.4)
})

test('of many sounds, only some are kept as files', async () => {
  const { folder, scratch, read } = await open()
  await toneFile(folder, { seconds: 0.1, onset: 0 })
  for (let n = 0; n < 20; n++) await copyFile(join(folder, 'tone.wav'), join(folder, `${n}.wav`))
  for (let n = 0; n < 20; n++) expect(await read(`${n}.wav`, 0, 1)).toHaveLength(2)
  await expect.poll(async () => (await readdir(scratch)).length).toBeLessThanOrEqual(16)
})
