import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../fixtures/sliding-bar.ts'
import { findFfmpeg, readSource, startProcess } from '../index.ts'

/** Half silence and half noise: by the bit rate of its beginning, it would be many times as long. */
const SECONDS = 6
const SOUND = ['-f', 'lavfi', '-i', `anoisesrc=d=${SECONDS}:a=0.5,volume='if(lt(t,3),0,1)':eval=frame`, '-ac', '1']
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=10:d=2']

/** What a program records that writes to a pipe: nothing at its beginning says how long it is. */
const record = async (extension: string, args: readonly string[]): Promise<string> => {
  const { ffmpeg } = await findFfmpeg()
  const child = startProcess(ffmpeg, ['-v', 'error', ...args, '-'], undefined)
  child.stdin.end()
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer)
  await child.finished
  const file = join(await scratch(), `recorded.${extension}`)
  await writeFile(file, Buffer.concat(chunks))
  return file
}

test.each([
  ['mp3', ['-c:a', 'libmp3lame', '-q:a', '2', '-write_xing', '0', '-id3v2_version', '0', '-f', 'mp3']],
  ['aac', ['-c:a', 'aac', '-f', 'adts']],
  ['flac', ['-c:a', 'flac', '-f', 'flac']],
  ['mka', ['-c:a', 'flac', '-f', 'matroska']],
  ['webm', ['-c:a', 'libopus', '-f', 'webm']],
  ['opus', ['-c:a', 'libopus', '-f', 'ogg']],
  ['wav', ['-c:a', 'pcm_s16le', '-f', 'wav']],
  ['wma', ['-c:a', 'wmav2', '-f', 'asf']],
  ['wv', ['-c:a', 'wavpack', '-f', 'wv']],
  ['ts', ['-c:a', 'aac', '-f', 'mpegts']],
  ['m4a', ['-c:a', 'aac', '-movflags', '+frag_keyframe+empty_moov', '-f', 'mp4']],
])('a recorded %s lasts as long as its sound', async (extension, codec) => {
  const source = await readSource(await record(extension, [...SOUND, ...codec]))
  expect(source.sound).not.toBeNull()
  expect(Math.abs(source.duration - SECONDS)).toBeLessThan(0.1)
})

test('a recorded video lasts as long as its sound', async () => {
  const codec = ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus', '-f', 'webm']
  const source = await readSource(await record('webm', [...PICTURE, ...SOUND, ...codec]))
  expect(Math.abs(source.duration - SECONDS)).toBeLessThan(0.1)
})

test('a recorded video without a length lasts as long as its frames, whatever its bit rate is said to be', async () => {
  const source = await readSource(await record('mkv', [...PICTURE, '-c:v', 'mpeg1video', '-r', '25', '-f', 'matroska']))
  expect(source.duration).toBeCloseTo(2, 1)
})

test('a video whose frames are shown for different times lasts as long as it says', async () => {
  const { ffmpeg } = await findFfmpeg()
  const file = join(await scratch(), 'slides.mkv')
  // Two pictures for 2 s each, and a last one for a tenth of a second.
  const times = ['-vf', "setpts='if(eq(N,0),0,if(eq(N,1),2,4))/TB'", '-vsync', '0']
  const input = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=10:d=0.3']
  const child = startProcess(ffmpeg, ['-v', 'error', ...input, ...times, '-c:v', 'ffv1', file], undefined)
  child.stdin.end()
  child.stdout.resume()
  await child.finished
  expect((await readSource(file)).duration).toBeCloseTo(4.1, 1)
})

test('two recordings that were joined last as long as both', async () => {
  const tone = ['-f', 'lavfi', '-i', 'sine=440:duration=2', '-c:a', 'libvorbis', '-f', 'ogg']
  const [first, second] = [await record('ogg', tone), await record('ogg', tone)]
  const joined = join(await scratch(), 'joined.ogg')
  await writeFile(joined, Buffer.concat([await readFile(first), await readFile(second)]))
  expect((await readSource(joined)).duration).toBeCloseTo(4, 1)
})

test.each([
  ['mov', 1],
  ['mkv', 0],
])('of several tracks in %s, number %i is played, as in a browser', async (extension, played) => {
  const { ffmpeg } = await findFfmpeg()
  const file = join(await scratch(), `tracks.${extension}`)
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=10:d=1', '-f', 'lavfi', '-i', 'testsrc2=s=96x54:r=10:d=1']
  const sounds = ['-f', 'lavfi', '-i', 'sine=440:duration=1', '-f', 'lavfi', '-i', 'sine=880:duration=1']
  const maps = [0, 1, 2, 3].flatMap((input) => ['-map', `${input}`])
  const marks = ['v', 'a'].flatMap((kind) => [`-disposition:${kind}:0`, '0', `-disposition:${kind}:1`, 'default'])
  const codecs = ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_s16le']
  const child = startProcess(
    ffmpeg,
    ['-v', 'error', ...inputs, ...sounds, ...maps, ...codecs, ...marks, file],
    undefined,
  )
  child.stdin.end()
  child.stdout.resume()
  await child.finished
  const source = await readSource(file)
  expect(source.picture?.width).toBe([64, 96][played])
  expect(source.soundIndex).toBe(2 + played)
})
