import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { foreignEntry } from '@vid/kernel'
import { scratchFolder } from '@vid/testkit'
import { expect, test } from 'vitest'
import { contextOf } from './fixtures/plan.ts'
import { linesOf, playedHashes } from './fixtures/playlists.ts'
import { makeVideo } from './fixtures/video.ts'

const HEAD = 'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n'
const OVER = '\n00:00:00.800 --> 00:00:01.200\nover the cut\n'

const textTracks = [
  { language: 'en', label: 'English', vtt: `WEBVTT\n${OVER}\n00:00:02.200 --> 00:00:02.400\nR&amp;D\n` },
  { language: '', label: 'Say "hi"', vtt: 'WEBVTT\n\n00:00:00.000 --> 00:00:00.500\nhi\n' },
]

test('captions are in the media segments in which they are shown, in the time of the video', async () => {
  const { joined, verify } = await makeVideo({ textTracks })
  const path = await joined()
  await verify(path)
  // The next render may replace the folder.
  expect(await foreignEntry(path)).toBeUndefined()
  const texts = await Promise.all([0, 1, 2].map((index) => readFile(join(path, `captions-0-0000${index}.vtt`), 'utf8')))
  expect(texts).toEqual([HEAD + OVER, HEAD + OVER, `${HEAD}\n00:00:02.200 --> 00:00:02.400\nR&amp;D\n`])
  expect(await readFile(join(path, 'captions-1-00002.vtt'), 'utf8')).toBe(HEAD)
  const pictures = (await linesOf(path, '48p.m3u8')).filter((line) => !/^#EXT-X-MAP|^[^#]/.test(line))
  const captions = await linesOf(path, 'captions-0.m3u8')
  // The same lengths, target duration, type and end.
  expect(captions.filter((line) => line.startsWith('#'))).toEqual(pictures)
  const index = await linesOf(path, 'index.m3u8')
  expect(index.filter((line) => line.includes('SUBTITLES'))).toEqual([
    '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions-0.m3u8"',
    '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="Say \'hi\'",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions-1.m3u8"',
    expect.stringMatching(/^#EXT-X-STREAM-INF:.*,SUBTITLES="captions"$/),
  ])
  expect(await playedHashes(path)).toHaveLength(75)
  await writeFile(join(path, 'captions-0.m3u8'), captions.slice(0, -1).join('\n'))
  await expect(verify(path)).rejects.toThrow('captions-0.m3u8 does not end')
})

test('captions are published with the pictures that they belong to', async () => {
  const { plugin, plan, segments, joined } = await makeVideo({ textTracks })
  const folder = await scratchFolder()
  const publication = await plugin.publish?.({ plan, folder, audio: undefined }, await contextOf())
  await publication?.add({ file: segments[0] ?? '' })
  const growing = await linesOf(folder, 'captions-0.m3u8')
  expect(growing.at(-1)).toBe('captions-0-00000.vtt')
  expect(growing).toContain('#EXT-X-PLAYLIST-TYPE:EVENT')
  for (const file of segments.slice(1)) await publication?.add({ file })
  expect((await linesOf(folder, 'captions-0.m3u8')).at(-1)).toBe('#EXT-X-ENDLIST')
  await publication?.end()
  expect((await linesOf(folder, 'captions-0.m3u8')).at(-1)).toBe('#EXT-X-ENDLIST')
  const path = await joined()
  expect((await readdir(folder)).sort()).toEqual((await readdir(path)).sort())
})

test('captions that cannot be read are refused by their line', async () => {
  const { plugin, plan } = await makeVideo({ textTracks })
  const broken = { ...plan, textTracks: [{ language: 'en', label: '', vtt: 'WEBVTT\n\n00:02.000 --> 00:01.000\nx\n' }] }
  const folder = await scratchFolder()
  await expect(plugin.publish?.({ plan: broken, folder, audio: undefined }, await contextOf())).rejects.toMatchObject({
    code: 'VID_HLS_SOURCE',
    message: expect.stringContaining('The captions "en" cannot be cut into media segments: line 3'),
  })
})
