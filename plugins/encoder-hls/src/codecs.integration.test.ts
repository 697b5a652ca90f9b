import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodableCodecs, findFfmpeg, frameHashes, probeMedia } from '@vid/ffmpeg'
import { scratchFolder, shootVideo } from '@vid/testkit'
import { expect, test } from 'vitest'
import { lengthsOf, linesOf, playedHashes } from './fixtures/playlists.ts'
import hls from './index.ts'

const able = await encodableCodecs(await findFfmpeg(), new AbortController().signal)
const names = {
  h264: ['avc1', /^avc1\.[0-9a-f]{6}$/],
  hevc: ['hvc1', /^hvc1\.1\.6\.L\d+(\.[0-9A-F]{1,2})*$/],
  av1: ['av01', /^av01\.0\.\d\dM\.08$/],
} as const

test('this ffmpeg makes HEVC', () => expect(able).toContain('hevc'))

test.each(able)('%s in two sizes is named by its parameters and plays every frame', async (codec) => {
  const folder = await scratchFolder()
  const request = { quality: 'draft', codec } as const
  const shot = { width: 160, height: 128, fps: 10, segments: [45, 20], request }
  const { file, segments } = await shootVideo(hls({ segmentSeconds: 2, ladder: [96] }), folder, shot)
  // The first segment is divided at key frames.
  expect(await lengthsOf(file, '128p.m3u8')).toEqual([1.5, 1.5, 1.5, 2])
  const hashes = (await Promise.all(segments.map((segment) => frameHashes(segment)))).flat()
  expect(await playedHashes(file)).toEqual(hashes)
  const [tag, name] = names[codec]
  const codecs = (await linesOf(file, 'index.m3u8')).flatMap((line) => /CODECS="([^"]*)"/.exec(line)?.[1] ?? [])
  expect(codecs).toHaveLength(4)
  for (const text of codecs) expect(text).toMatch(name)
  for (const side of ['128p', '96p']) {
    const whole = join(folder, `${side}.mp4`)
    const uris = (await linesOf(file, `${side}.m3u8`)).filter((line) => !line.startsWith('#'))
    const parts = await Promise.all([`${side}-init.mp4`, ...uris].map((uri) => readFile(join(file, uri))))
    await writeFile(whole, Buffer.concat(parts))
    const [video] = (await probeMedia(whole, { countFrames: true })).video
    expect(video).toMatchObject({ codec, codecTag: tag, frames: 65, range: 'tv', matrix: 'bt709' })
  }
})
