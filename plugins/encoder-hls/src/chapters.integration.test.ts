import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { foreignEntry } from '@vid/kernel'
import { scratchFolder } from '@vid/testkit'
import { expect, test } from 'vitest'
import { contextOf } from './fixtures/plan.ts'
import { linesOf, playedHashes } from './fixtures/playlists.ts'
import { makeVideo } from './fixtures/video.ts'

const chapters = [
  { start: 0, end: 0.1 + 0.2, title: 'Say "hi"' },
  { start: 0.1 + 0.2, end: 2.5, title: 'Größe 🎉' },
]

const listed = [
  { chapter: 1, 'start-time': 0, duration: 0.3, titles: [{ language: 'und', title: 'Say "hi"' }] },
  { chapter: 2, 'start-time': 0.3, duration: 2.2, titles: [{ language: 'und', title: 'Größe 🎉' }] },
]

const LINE = '#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="chapters.json"'

test('chapters are listed in JSON that the multivariant playlist names', async () => {
  const { joined, verify } = await makeVideo({ chapters })
  const path = await joined()
  await verify(path)
  expect(await foreignEntry(path)).toBeUndefined()
  expect(await linesOf(path, 'index.m3u8')).toContain(LINE)
  expect(JSON.parse(await readFile(join(path, 'chapters.json'), 'utf8'))).toEqual(listed)
  expect(await playedHashes(path)).toHaveLength(75)
  await rm(join(path, 'chapters.json'))
  await expect(verify(path)).rejects.toThrow('chapters.json is missing')
})

test('all chapters are published with the first media segment', async () => {
  const { plugin, plan, segments } = await makeVideo({ chapters })
  const folder = await scratchFolder()
  const publication = await plugin.publish?.({ plan, folder, audio: undefined }, await contextOf())
  await publication?.add({ file: segments[0] ?? '' })
  expect(await linesOf(folder, 'index.m3u8')).toContain(LINE)
  expect(JSON.parse(await readFile(join(folder, 'chapters.json'), 'utf8'))).toEqual(listed)
  await publication?.end()
})

test('a video without chapters has no file of them', async () => {
  const { joined } = await makeVideo({})
  const path = await joined()
  expect(await readFile(join(path, 'index.m3u8'), 'utf8')).not.toContain('EXT-X-SESSION-DATA')
  await expect(readFile(join(path, 'chapters.json'))).rejects.toThrow('ENOENT')
})
