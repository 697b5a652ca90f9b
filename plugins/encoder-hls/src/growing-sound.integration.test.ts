import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { aacArgs, findFfmpeg, runProcess } from '@vid/ffmpeg'
import type { GrowingSound } from '@vid/kernel'
import { createGrowth } from '@vid/system'
import { noise, scratchFolder, shootVideo, toneFile } from '@vid/testkit'
import { expect, test } from 'vitest'
import { contextOf, planOf } from './fixtures/plan.ts'
import { linesOf, play } from './fixtures/playlists.ts'
import hls from './index.ts'

const FRAMES = [30, 30, 15]
/** Bytes of a second of sound. */
const SECOND = 48_000 * 8

/** A finished wav that is let out as if it were mixed now. */
const growing = async (file: string, seconds: number) => {
  const { size: totalBytes } = await stat(file)
  const growth = createGrowth()
  let bytes = Math.round(seconds * SECOND)
  let lastOffset = -1
  let onRequest = () => {}
  const sound: GrowingSound = {
    file,
    totalBytes,
    async grown(offset) {
      lastOffset = offset
      onRequest()
      await growth.until(() => bytes > offset)
      return bytes
    },
  }
  return {
    sound,
    grow(to: number) {
      bytes = Math.min(totalBytes, Math.round(to * SECOND))
      growth.grow()
    },
    fail: (thrown: Error) => growth.endWith(Promise.reject(thrown)),
    /** Waits until all that was let out is used. */
    usedUp: () =>
      new Promise<void>((resolve) => {
        onRequest = () => lastOffset === bytes && resolve()
        onRequest()
      }),
  }
}

const shoot = async () => {
  const folder = await scratchFolder()
  const audio = await toneFile(folder, { seconds: 2.5, onset: 0.25 })
  const shot = { request: { quality: 'draft' }, segments: FRAMES, paint: noise, audio } as const
  const { file, segments, settings } = await shootVideo(hls(), folder, shot)
  const published = await scratchFolder()
  const publish = async (sound: GrowingSound) =>
    hls().publish?.({ plan: planOf(settings, FRAMES), folder: published, audio: sound }, await contextOf())
  return { folder: file, segments: segments.map((path) => ({ file: path })), wav: audio.file, published, publish }
}

test('a segment is published when the sound covers it, and what is published is what is joined', async () => {
  const { folder, segments, wav, published, publish } = await shoot()
  const { sound, grow, usedUp } = await growing(wav, 0.75)
  const publication = await publish(sound)
  let isPublished = false
  const adding = publication?.add(segments[0] as never).then(() => {
    isPublished = true
  })
  await usedUp()
  expect(isPublished).toBe(false)
  expect((await readdir(published)).filter((name) => name.endsWith('.m3u8'))).toEqual([])
  grow(2)
  await adding
  const lines = await linesOf(published, 'audio.m3u8')
  expect(lines.filter((line) => line.endsWith('.m4s'))).toEqual(['audio-00000.m4s'])
  expect(lines).not.toContain('#EXT-X-ENDLIST')
  grow(3)
  for (const segment of segments.slice(1)) await publication?.add(segment)
  await publication?.end()
  const names = await readdir(folder)
  expect((await readdir(published)).sort()).toEqual(names.sort())
  for (const name of names.filter((name) => !name.endsWith('.m3u8')))
    expect((await readFile(join(published, name))).equals(await readFile(join(folder, name))), name).toBe(true)
  expect((await linesOf(published, 'audio.m3u8')).join('\n').replace('EVENT', 'VOD')).toEqual(
    (await linesOf(folder, 'audio.m3u8')).join('\n'),
  )
})

test('packets of sound are those that are encoded at once from the whole sound', async () => {
  const { folder, wav } = await shoot()
  const { ffmpeg } = await findFfmpeg()
  const whole = join(await scratchFolder(), 'whole.mp4')
  await runProcess(
    ffmpeg,
    ['-v', 'error', '-i', wav, ...aacArgs, '-flags', '+bitexact', '-fflags', '+bitexact', whole],
    undefined,
  )
  const output = ['-map', '0:a:0', '-c', 'copy', '-f', 'framemd5', 'pipe:1']
  const digestsIn = (printed: string) =>
    printed.split('\n').flatMap((line) => (/^0,/.test(line) ? (line.split(',')[5]?.trim() ?? []) : []))
  const expected = digestsIn(await runProcess(ffmpeg, ['-v', 'error', '-i', whole, ...output], undefined))
  expect(expected.length).toBeGreaterThan(100)
  expect(digestsIn(await play(folder, output.slice(0, -1)))).toEqual(expected)
})

test('a mix that fails fails the segment that waits for it, and the video ends after those before', async () => {
  const { segments, wav, published, publish } = await shoot()
  const { sound, fail, usedUp } = await growing(wav, 1.75)
  const publication = await publish(sound)
  await publication?.add(segments[0] as never)
  const adding = publication?.add(segments[1] as never)
  await usedUp()
  fail(new Error('a source is gone'))
  await expect(adding).rejects.toThrow('a source is gone')
  await publication?.end()
  for (const name of ['audio.m3u8', '48p.m3u8']) {
    const lines = await linesOf(published, name)
    expect(lines.filter((line) => line.endsWith('.m4s'))).toHaveLength(1)
    expect(lines.at(-1)).toBe('#EXT-X-ENDLIST')
  }
})

test('a video that is ended before its sound leaves no process that encodes it', async () => {
  const { segments, wav, publish } = await shoot()
  const { sound } = await growing(wav, 1.75)
  const publication = await publish(sound)
  await publication?.add(segments[0] as never)
  // Resolves when the process has exited.
  await publication?.end()
})

test('a sound that is shorter than its head says is refused, and so is a file that is no wav', async () => {
  const { segments, wav, publish } = await shoot()
  const { sound } = await growing(wav, 1)
  const ended = { ...sound, totalBytes: SECOND, grown: async () => SECOND }
  const publication = await publish(ended)
  const add = async () => {
    for (const segment of segments) await publication?.add(segment)
  }
  await expect(add()).rejects.toMatchObject({ code: 'VID_FFMPEG_FAILED' })
  await publication?.end()
  await expect(publish({ ...sound, file: segments[0]?.file ?? '' })).rejects.toMatchObject({ code: 'VID_HLS_SOURCE' })
})
