import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { everyFfmpeg, scratch } from '../fixtures/sliding-bar.ts'
import { findFfmpeg, frameHashes, mediaInput, probeMedia, readSource, runProcess } from '../index.ts'

const builds = await everyFfmpeg()
const tools = await findFfmpeg()

let folder: string
beforeEach(async () => {
  folder = await scratch()
})

const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=10:d=0.5']
const SOUND = ['-f', 'lavfi', '-i', 'sine=440:d=0.5']

const make = async (name: string, args: readonly string[]) => {
  const file = join(folder, name)
  await runProcess(tools.ffmpeg, ['-v', 'error', '-y', ...args, file], undefined)
  return file
}

test.each([
  ['clip.mp4', 'mov', [...PICTURE, ...SOUND, '-c:v', 'libx264', '-c:a', 'aac']],
  ['clip.mov', 'mov', [...PICTURE, '-c:v', 'prores_ks']],
  ['clip.webm', 'matroska', [...PICTURE, '-c:v', 'libvpx']],
  ['clip.mkv', 'matroska', [...PICTURE, '-c:v', 'ffv1']],
  ['clip.avi', 'avi', [...PICTURE, '-c:v', 'mpeg4']],
  ['clip.flv', 'flv', [...PICTURE, '-c:v', 'flv']],
  ['clip.wmv', 'asf', [...PICTURE, '-c:v', 'wmv2']],
  ['clip.ts', 'mpegts', [...PICTURE, '-c:v', 'libx264']],
  ['clip.m2ts', 'mpegts', [...PICTURE, '-c:v', 'libx264']],
  ['clip.mpg', 'mpeg', [...PICTURE, '-r', '25', '-c:v', 'mpeg2video']],
  ['clip.h264', 'h264', [...PICTURE, '-c:v', 'libx264']],
  ['clip.y4m', 'yuv4mpegpipe', PICTURE],
  ['loop.gif', 'gif', PICTURE],
  ['moving.png', 'apng', [...PICTURE, '-f', 'apng']],
  ['still.png', 'png_pipe', [...PICTURE, '-frames:v', '1']],
  ['still.jpg', 'jpeg_pipe', [...PICTURE, '-frames:v', '1']],
  ['still.webp', 'webp_pipe', [...PICTURE, '-frames:v', '1']],
  ['tone.wav', 'wav', SOUND],
  ['tone.mp3', 'mp3', SOUND],
  ['bare.mp3', 'mp3', [...SOUND, '-id3v2_version', '0', '-write_xing', '0']],
  ['low.mp3', 'mp3', [...SOUND, '-id3v2_version', '0', '-write_xing', '0', '-ar', '16000']],
  ['tone.mp2', 'mp3', [...SOUND, '-c:a', 'mp2']],
  ['tone.aac', 'aac', [...SOUND, '-c:a', 'aac']],
  ['tone.m4a', 'mov', [...SOUND, '-c:a', 'aac']],
  ['tone.flac', 'flac', SOUND],
  ['tone.ogg', 'ogg', [...SOUND, '-c:a', 'libvorbis']],
  ['tone.aiff', 'aiff', SOUND],
  ['tone.caf', 'caf', SOUND],
  ['tone.ac3', 'ac3', SOUND],
  ['tone.eac3', 'eac3', SOUND],
])('%s is read as %s, whatever its name, and as ffmpeg itself reads it', async (name, demuxer, args) => {
  const mediaFile = await make(name, args)
  const file = join(folder, `${name}.nothing`)
  await copyFile(mediaFile, file)
  const input = await mediaInput(file)
  expect(input.slice(0, 2)).toEqual(['-f', demuxer])
  for (const { ffmpeg } of builds) {
    const hash = (from: readonly string[]) =>
      runProcess(ffmpeg, ['-v', 'error', ...from, '-f', 'framemd5', '-'], undefined)
    expect(await hash(input)).toBe(await hash(['-i', mediaFile]))
  }
})

test.each([
  ['after a tag that is longer than what is read at once', (sound: Buffer) => [tag(100_000), sound]],
  ['after two tags', (sound: Buffer) => [tag(10), tag(2000), sound]],
  ['after silence that is no sound', (sound: Buffer) => [Buffer.alloc(3000), sound]],
])('MP3 is found %s', async (name, parts) => {
  const file = join(folder, `${name}.mp3`)
  const sound = await readFile(await make('plain.mp3', [...SOUND, '-id3v2_version', '0']))
  await writeFile(file, Buffer.concat(parts(sound)))
  expect(await mediaInput(file)).toContain('mp3')
  expect((await probeMedia(file)).audio).toMatchObject([{ codec: 'mp3' }])
})

/** An ID3 tag with so many bytes of padding. */
const tag = (bytes: number) => {
  const size = [21, 14, 7, 0].map((shift) => (bytes >> shift) & 0x7f)
  return Buffer.concat([Buffer.from('ID3\x04\0\0'), Buffer.from(size), Buffer.alloc(bytes)])
}

const SECRET = 'file:///etc/hostname'

test.each([
  ['an HLS playlist', `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${SECRET}\n#EXT-X-ENDLIST\n`],
  ['a playlist after a mark of its encoding', `\ufeff#EXTM3U\n${SECRET}\n`],
  ['a list of files to join', `ffconcat version 1.0\nfile ${SECRET}\n`],
  ['a DASH manifest', `<?xml version="1.0"?><MPD><Period><BaseURL>${SECRET}</BaseURL></Period></MPD>`],
  ['a session description', 'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 9 RTP/AVP 0\n'],
  ['an SVG image', `<svg xmlns="http://www.w3.org/2000/svg"><image href="${SECRET}"/></svg>`],
  ['a playlist in a tag', `${tag(20)}#EXTM3U\n${SECRET}\n`],
  ['an empty file', ''],
])('%s is refused under any name, before ffmpeg sees it', async (_name, content) => {
  for (const name of ['list.mp4', 'list.m3u8', 'list.mpd', 'list.sdp', 'list.wav', 'list.png']) {
    const file = join(folder, name)
    await writeFile(file, content)
    const refused = expect.objectContaining({
      code: 'VID_FFMPEG_PROBE',
      message: expect.stringContaining(file),
    })
    await expect(mediaInput(file)).rejects.toEqual(refused)
    await expect(probeMedia(file)).rejects.toEqual(refused)
    await expect(readSource(file)).rejects.toEqual(refused)
    await expect(frameHashes(file)).rejects.toEqual(refused)
  }
})

test.each(['-y.mp4', 'a:b.mp4', 'concat:a|b.mp4', 'shot%03d.png', "it's [1]*?.mp4", 'subfile,,start,0,,:x.mp4'])(
  'a file called %s is that file and no other',
  async (name) => {
    const inside = join(folder, 'names')
    await mkdir(inside, { recursive: true })
    await copyFile(await make('named.mp4', [...PICTURE, '-c:v', 'libx264']), join(inside, name))
    // What the pattern among these names would find.
    await copyFile(await make('other.png', [...PICTURE, '-frames:v', '1']), join(inside, 'shot001.png'))
    for (const build of builds) {
      expect((await probeMedia(join(inside, name), { tools: build })).container).toContain('mp4')
      expect(await frameHashes(join(inside, name), { tools: build })).toHaveLength(5)
    }
  },
)
