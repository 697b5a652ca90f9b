import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noSources, type Warning } from '@vid/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { failing, status } from '../../../packages/services/s3/src/fixtures/faults.ts'
import { type Fault, type Seen, startS3 } from '../../../packages/services/s3/src/fixtures/s3-server.ts'
import { artifact, deliver } from './fixtures/deliver.ts'
import s3 from './index.ts'

const index = '#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="360p-keys.m3u8"\n360p.m3u8\n'
const media = (segments: number, end = '') =>
  `#EXTM3U\n#EXT-X-MAP:URI="360p-init.mp4"\n${Array.from({ length: segments }, (_, number) => `#EXTINF:4,\n360p-0000${number}.m4s\n`).join('')}${end}`
const ENDED = '#EXT-X-ENDLIST\n'

const folder = {
  'index.m3u8': index,
  '360p.m3u8': media(2, ENDED),
  '360p-keys.m3u8': media(2, ENDED),
  '360p-init.mp4': 'init',
  '360p-00000.m4s': 'zero',
  '360p-00001.m4s': 'one',
  'captions-0-00000.vtt': 'WEBVTT',
  'poster.jpg': 'poster',
}

const sent = (seen: readonly Seen[], method = 'PUT') =>
  seen.filter((one) => one.method === method).map(({ key }) => key.replace(/^film\//, ''))

test('a folder of hls arrives in order, with its types: parts, playlists, and last what players open', async () => {
  const { objects, seen, options } = await startS3()
  const { address, error } = await deliver({ ...options, cacheControl: 'max-age=60' }, await artifact(folder), {
    outputPath: '/videos/film',
  })
  expect([address, error]).toEqual(['s3://videos/film/', undefined])
  const order = sent(seen)
  expect(order.slice(0, 5).sort()).toEqual(
    Object.keys(folder)
      .filter((name) => !name.endsWith('.m3u8'))
      .sort(),
  )
  expect(order.slice(5, 7).sort()).toEqual(['360p-keys.m3u8', '360p.m3u8'])
  expect(order.slice(7)).toEqual(['index.m3u8'])
  const types = [...objects].map(([key, { type, cacheControl }]) => [key.replace('film/', ''), type, cacheControl])
  expect(types.sort()).toEqual(
    [
      ['360p-00000.m4s', 'video/iso.segment'],
      ['360p-00001.m4s', 'video/iso.segment'],
      ['360p-init.mp4', 'video/mp4'],
      ['360p-keys.m3u8', 'application/vnd.apple.mpegurl'],
      ['360p.m3u8', 'application/vnd.apple.mpegurl'],
      ['captions-0-00000.vtt', 'text/vtt'],
      ['index.m3u8', 'application/vnd.apple.mpegurl'],
      ['poster.jpg', 'image/jpeg'],
    ].map(([name, type]) => [name, type, 'max-age=60']),
  )
})

test('the format of its key is hls', async () => {
  const { objects, options } = await startS3()
  await deliver({ ...options, key: '{format}/{name}' }, await artifact(folder), { outputPath: '/videos/film' })
  expect([...objects.keys()]).toContain('hls/film/index.m3u8')
})

test('an upload that fails leaves no playlist without its parts, also none of an earlier video', async () => {
  let isBroken = false
  const { fault } = failing(
    99,
    ({ method, key }) => isBroken && method === 'PUT' && key.endsWith('-00001.m4s'),
    status(500, 'InternalError'),
  )
  const { objects, options } = await startS3(fault)
  const place = { outputPath: '/videos/film' }
  await deliver(options, await artifact(folder), place)
  isBroken = true
  const { error } = await deliver({ ...options, attempts: 1, concurrency: 1 }, await artifact(folder), place)
  expect(error).toMatchObject({ code: 'VID_S3_FAILED' })
  expect([...objects.keys()]).not.toContain('film/index.m3u8')
})

/** Refuses each playlist whose parts are not there yet. */
const requiringParts =
  (objects: () => ReadonlyMap<string, unknown>, problems: string[]): Fault =>
  (seen) => {
    if (seen.method === 'PUT' && seen.key.endsWith('.m3u8')) {
      const isThere = (name: string) => objects().has(`film/${name}`)
      if (!isThere('360p-init.mp4')) problems.push(`${seen.key} before the init segment`)
      if (seen.key.endsWith('index.m3u8') && !isThere('360p.m3u8')) problems.push('index before its playlists')
    }
    return false
  }

/** A folder that grows, and the delivery that brings it. */
const growing = async (options: Parameters<typeof s3>[0]) => {
  const place = await mkdtemp(join(tmpdir(), 'vid-s3-'))
  onTestFinished(() => rm(place, { recursive: true }))
  await mkdir(place, { recursive: true })
  const plugin = s3({ ...options, growing: true })
  const warnings: Warning[] = []
  const stop = new AbortController()
  const facts = {
    projectDir: '/',
    workDir: '/',
    sources: noSources,
    warn: (warning: Warning) => warnings.push(warning),
  }
  const growth = await plugin.grow?.({ outputPath: '/videos/film' }, { ...plugin, signal: stop.signal, ...facts })
  onTestFinished(() => stop.abort())
  if (!growth) throw new Error('it does not grow')
  const write = (name: string, text: string) => writeFile(join(place, name), text)
  const publish = async (segments: number, end = '') => {
    await write('360p-init.mp4', 'init')
    for (let number = 0; number < segments; number += 1) await write(`360p-0000${number}.m4s`, `segment ${number}`)
    for (const name of ['360p.m3u8', '360p-keys.m3u8']) await write(name, media(segments, end))
    await write('index.m3u8', index)
  }
  return { place, growth, publish, warnings }
}

test('a growing video is uploaded part by part, each before the playlist that names it', async () => {
  const problems: string[] = []
  const server: Awaited<ReturnType<typeof startS3>> = await startS3((...call) =>
    requiringParts(() => server.objects, problems)(...call),
  )
  const { objects, seen, options } = server
  const { place, growth, publish } = await growing({ ...options, cacheControl: 'max-age=60' })
  await publish(1)
  await growth.update(place)
  expect(sent(seen).at(-1)).toBe('index.m3u8')
  expect(objects.get('film/360p.m3u8')).toMatchObject({
    cacheControl: 'no-cache',
    type: 'application/vnd.apple.mpegurl',
  })
  expect(objects.get('film/360p-00000.m4s')).toMatchObject({ cacheControl: 'max-age=60' })
  seen.length = 0
  await publish(2)
  await growth.update(place)
  expect(sent(seen)[0]).toBe('360p-00001.m4s')
  expect(sent(seen).slice(1).sort()).toEqual(['360p-keys.m3u8', '360p.m3u8'])
  await publish(2, ENDED)
  await growth.end(place, new AbortController().signal)
  expect(String(objects.get('film/360p.m3u8')?.body)).toBe(media(2, ENDED))
  expect(problems).toEqual([])
})

test('a part that fails is named by no playlist, and is uploaded with the next', async () => {
  const { fault, failed } = failing(2, ({ key }) => key.endsWith('-00000.m4s'), status(500, 'InternalError'))
  const { objects, options } = await startS3(fault)
  const { place, growth, publish } = await growing({ ...options, attempts: 2 })
  await publish(1)
  await expect(growth.update(place)).rejects.toMatchObject({ code: 'VID_S3_FAILED' })
  expect(failed.count).toBe(2)
  expect([...objects.keys()].filter((key) => key.endsWith('.m3u8'))).toEqual([])
  await publish(2)
  await growth.update(place)
  expect(String(objects.get('film/360p.m3u8')?.body)).toBe(media(2))
  expect(String(objects.get('film/360p-00000.m4s')?.body)).toBe('segment 0')
})

test('without the option, nothing grows', () => {
  expect(s3({ bucket: 'videos', accessKeyId: 'a', secretAccessKey: 'b' })).not.toHaveProperty('grow')
})
