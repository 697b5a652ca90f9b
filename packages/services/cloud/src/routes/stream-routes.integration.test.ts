import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { keys, startS3 } from '../../../s3/src/fixtures/s3-server.ts'
import { clientOf, newAccount, newFolder, startCloud } from '../fixtures/cloud.ts'
import { newRender } from '../fixtures/renders.ts'
import { streamPrefix } from '../streams/stream-key.ts'
import { addStream, showSegments, showWhole } from '../streams/stream-records.ts'
import { tidyEnded } from '../sweep/ended-renders.ts'

const media = (names: readonly string[]) =>
  ['#EXTM3U', '#EXT-X-TARGETDURATION:1', '#EXT-X-PLAYLIST-TYPE:EVENT', ...names, ''].join('\n')

/** What players see of a video after some segments. */
const videoOf = (segments: number) => {
  const files = Array.from({ length: segments }, (_, index) => `32p-0000${index}.m4s`)
  const playlists = { 'index.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n32p.m3u8\n', '32p.m3u8': media(files) }
  return { segments, files, playlists }
}

/** A server with a render of which one segment can be played. */
const startStream = async (options = {}) => {
  const cloud = await startCloud(options)
  const { database } = cloud
  const { id: renderId } = await newRender(database, { accountId: cloud.account.id, status: 'queued' })
  await database.run(`UPDATE vid.renders SET status = 'rendering', attempt = 1 WHERE id = $1`, [renderId])
  const stream = { renderId, attempt: 1 }
  const folder = await newFolder()
  const path = join(folder, 'part')
  await writeFile(path, 'moof and mdat')
  for (const name of videoOf(2).files) await cloud.cloud.storage.put(`${streamPrefix(stream)}${name}`, path)
  const show = (segments: number) => database.transaction((sql) => showSegments(sql, stream, videoOf(segments)))
  await addStream(database, stream)
  const urlNow = async () => (await cloud.get(`/v3/vid/renders/${renderId}`)).json.data.playlist_url as string | null
  const change = (columns: string) => database.run(`UPDATE vid.renders SET ${columns} WHERE id = $1`, [renderId])
  return { ...cloud, stream, show, urlNow, change, renderId }
}

const beside = (url: string, name: string) => url.replace(/[^/]+$/, name)
const linesOf = async (url: string) => {
  const reply = await fetch(url)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/vnd.apple.mpegurl'])
  return (await reply.text()).trimEnd().split('\n')
}
const partsOf = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('#'))

test('a render has the address of its video from the first segment on, which grows and ends there', async () => {
  const { show, urlNow, change, stream, database } = await startStream()
  expect(await urlNow()).toBeNull()
  await show(1)
  const url = (await urlNow()) ?? ''
  expect(await linesOf(url)).toContain('32p.m3u8')
  expect(await linesOf(beside(url, '32p.m3u8'))).toEqual(media(['32p-00000.m4s']).trimEnd().split('\n'))
  const range = await fetch(beside(url, '32p-00000.m4s'), { headers: { range: 'bytes=0-3' } })
  expect([range.status, await range.text(), range.headers.get('content-type')]).toEqual([206, 'moof', 'video/mp4'])
  await show(2)
  expect(partsOf(await linesOf(beside(url, '32p.m3u8')))).toHaveLength(2)
  // A worker that goes on with it begins at its first segment: what players have seen stays.
  await show(1)
  expect(partsOf(await linesOf(beside(url, '32p.m3u8')))).toHaveLength(2)
  await change(`status = 'completed', completed_at = now()`)
  await showWhole(database, stream, videoOf(2))
  expect((await linesOf(beside(url, '32p.m3u8'))).at(-1)).toBe('#EXT-X-ENDLIST')
  expect(await linesOf(url)).not.toContain('#EXT-X-ENDLIST')
})

test.each([
  ['fails', `status = 'failed', completed_at = now()`],
  ['is deleted', `status = 'failed', completed_at = now(), deleted_at = now()`],
  ['begins anew', 'attempt = 2'],
])('the video of a render that %s ends after what was rendered', async (_, columns) => {
  const { show, urlNow, change } = await startStream()
  await show(1)
  const url = (await urlNow()) ?? ''
  await change(columns)
  await show(2)
  const lines = await linesOf(beside(url, '32p.m3u8'))
  expect([partsOf(lines), lines.at(-1)]).toEqual([['32p-00000.m4s'], '#EXT-X-ENDLIST'])
})

test('another account learns of no video, and an address opens nothing but its video', async () => {
  const { url: server, database, show, urlNow, renderId, stream } = await startStream()
  await show(1)
  const url = (await urlNow()) ?? ''
  const other = clientOf(server, (await newAccount(database)).key)
  expect(await other.get(`/v3/vid/renders/${renderId}`)).toMatchObject({
    status: 404,
    json: { error: { code: 'vid_render_not_found' } },
  })
  const answerTo = async (address: string) => {
    const reply = await fetch(address)
    return [reply.status, ((await reply.json()) as { error: { code: string } }).error.code]
  }
  const [token = ''] = url.split('/').slice(-2)
  const [id = '', attempt = '', expires = '', signature = ''] = token.split('.')
  for (const changed of [
    [id.replace(/.$/, '_'), attempt, expires, signature],
    [id, '2', expires, signature],
    [id, attempt, '99999999999', signature],
    [id, attempt, expires, 'AAAA'],
    [id, attempt, expires],
    [id],
  ])
    expect(await answerTo(url.replace(token, changed.join('.'))), changed.join('.')).toEqual([403, 'forbidden'])
  const key = encodeURIComponent(`${streamPrefix(stream)}32p-00000.m4s`)
  for (const name of ['32p-00001.m4s', 'index.m3u8.partial', '..%2findex.m3u8', '.incoming', key])
    expect(await answerTo(beside(url, name)), name).toEqual([404, 'not_found'])
})

test('an address expires, though not before the render has ended, and not soon after', async () => {
  const { show, urlNow, change, database } = await startStream({ addressTtlMs: 60_000 })
  await show(1)
  const url = (await urlNow()) ?? ''
  const startMs = Date.now()
  // The clock of the database may be another one.
  const timeAt = (seconds: number) => `'${new Date(startMs + seconds * 1000).toISOString()}'`
  const later = vi.spyOn(Date, 'now').mockReturnValue(startMs + 120_000)
  onTestFinished(() => later.mockRestore())
  expect(await linesOf(url)).toContain('32p.m3u8')
  await change(`status = 'failed', completed_at = ${timeAt(90)}`)
  expect(await linesOf(url)).toContain('32p.m3u8')
  await change(`completed_at = ${timeAt(30)}`)
  expect((await fetch(url)).status).toBe(403)
  // A newly signed one is valid, until the video is removed.
  expect(await linesOf((await urlNow()) ?? '')).toContain('32p.m3u8')
  await change(`completed_at = ${timeAt(-2 * 24 * 60 * 60)}`)
  await tidyEnded(database, { orphanAfterMs: 24 * 60 * 60 * 1000 })
  expect(await urlNow()).toBeNull()
})

test('a page of an allowed origin plays a video, and others get no answer that they can read', async () => {
  const { show, urlNow } = await startStream({ allowedOrigins: ['https://studio.example'] })
  await show(1)
  const url = (await urlNow()) ?? ''
  const allowedFor = async (origin: string, name: string) => {
    const reply = await fetch(beside(url, name), { headers: { origin } })
    return reply.headers.get('access-control-allow-origin')
  }
  for (const name of ['index.m3u8', '32p-00000.m4s']) {
    expect(await allowedFor('https://studio.example', name)).toBe('https://studio.example')
    expect(await allowedFor('https://other.example', name)).toBeNull()
  }
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('the parts of a video in an object store come from there', async () => {
  const { options } = await startS3()
  vi.stubEnv('AWS_ACCESS_KEY_ID', keys.accessKeyId)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', keys.secretAccessKey)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { show, urlNow } = await startStream({ storage: `s3://videos/team?endpoint=${options.endpoint}` })
  await show(1)
  const url = (await urlNow()) ?? ''
  expect(partsOf(await linesOf(beside(url, '32p.m3u8')))).toEqual(['32p-00000.m4s'])
  const part = await fetch(beside(url, '32p-00000.m4s'), { redirect: 'manual' })
  expect(part.status).toBe(302)
  const stored = await fetch(part.headers.get('location') ?? '')
  expect([stored.status, await stored.text()]).toEqual([200, 'moof and mdat'])
})
