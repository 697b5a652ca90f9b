import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gatedConfig } from './fixtures/gated-config.ts'
import { eventsOf, makeFolder, page, startProducer } from './fixtures/producer.ts'

const TOKENS = ['the-token-of-one-client-0123456789', 'the-token-of-the-other-0123456789'] as const
const [bearer, otherBearer] = TOKENS.map((token) => ({ authorization: `Bearer ${token}` }))

/** A render of four segments, of which the first alone is finished. */
const startRender = async () => {
  const cwd = await makeFolder()
  const gate = join(cwd, 'gate', 'open')
  await mkdir(join(gate, '..'))
  await writeFile(join(cwd, 'vid.config.mjs'), gatedConfig(gate, 10))
  const { send, post } = await startProducer({ cwd, tokens: [...TOKENS] })
  const stream = await post(
    '/render/stream',
    { html: page('rgb(200, 40, 40)', 40), format: 'hls' },
    { ...bearer, 'x-request-id': 'film' },
  )
  const events = eventsOf(stream)
  let playlistUrl: string | undefined
  while (playlistUrl === undefined) {
    const { value, done } = await events.next()
    if (done) throw new Error('the stream ended')
    if (value.type === 'error') throw new Error(value.error.message)
    if (value.type === 'progress') playlistUrl = value.playlistUrl
  }
  /** The lines of a playlist in the folder of the video, as a player without a credential gets them. */
  const linesOf = async (name: string) => {
    const reply = await send(join(playlistUrl, '..', name))
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/vnd.apple.mpegurl'])
    return (await reply.text()).trimEnd().split('\n')
  }
  const lastEvent = async () => {
    let last: unknown
    for await (const event of events) last = event
    return last
  }
  return { send, playlistUrl, linesOf, lastEvent, open: (how: 'go' | 'fail') => writeFile(gate, how) }
}

const partsOf = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('#'))
const whole = ['32p-00000.m4s', '32p-00001.m4s', '32p-00002.m4s', '32p-00003.m4s']

test('a video is played by its address before it is rendered, and to its end', async () => {
  const { send, playlistUrl, linesOf, lastEvent, open } = await startRender()
  expect(await (await send('/render/film', { headers: { ...bearer } })).json()).toMatchObject({
    status: 'running',
    playlistUrl,
  })
  expect(await linesOf('index.m3u8')).toContain('32p.m3u8')
  const growing = await linesOf('32p.m3u8')
  expect(partsOf(growing)).toEqual(whole.slice(0, 1))
  expect(growing).not.toContain('#EXT-X-ENDLIST')
  const range = await send(join(playlistUrl, '../32p-00000.m4s'), { headers: { range: 'bytes=4-7' } })
  expect([range.status, await range.text()]).toEqual([206, 'styp'])
  await open('go')
  expect(await lastEvent()).toMatchObject({ type: 'complete', contentType: 'application/zip', frames: 40 })
  const ended = await linesOf('32p.m3u8')
  expect([partsOf(ended), ended.at(-1)]).toEqual([whole, '#EXT-X-ENDLIST'])
  expect(await (await send('/render/film', { headers: { ...bearer } })).json()).toMatchObject({
    status: 'completed',
    playlistUrl,
  })
})

test('a render that fails ends its video after what was rendered', async () => {
  const { send, playlistUrl, linesOf, lastEvent, open } = await startRender()
  await open('fail')
  expect(await lastEvent()).toMatchObject({ type: 'error' })
  const lines = await linesOf('32p.m3u8')
  const parts = partsOf(lines)
  expect(parts.length).toBeLessThan(4)
  // Segments that were being rendered when another failed may be missing.
  expect([parts, lines.at(-1)]).toEqual([whole.slice(0, Math.max(1, parts.length)), '#EXT-X-ENDLIST'])
  expect(await (await send('/render/film', { headers: { ...bearer } })).json()).toMatchObject({
    status: 'failed',
    playlistUrl,
  })
})

test('another client learns of no video, and an address opens nothing but its video', async () => {
  const { send, playlistUrl, lastEvent, open } = await startRender()
  const codeOf = async (path: string, headers = {}) => {
    const reply = await send(path, { headers })
    return [reply.status, (await reply.json()).error.code]
  }
  expect(await codeOf('/render/film', otherBearer)).toEqual([404, 'VID_PRODUCER_REQUEST_UNKNOWN'])
  expect(await codeOf('/render/film')).toEqual([401, 'VID_HTTP_UNAUTHORIZED'])
  const token = playlistUrl.split('/')[2] ?? ''
  expect(await codeOf(playlistUrl.replace(token, `${token.slice(0, -1)}_`))).toEqual([
    404,
    'VID_PRODUCER_OUTPUT_UNKNOWN',
  ])
  for (const name of ['index.m3u8.partial', '..%2frequest.json', '..%2fproject%2findex.html', '32p-00001.m4s'])
    expect(await codeOf(`/streams/${token}/${name}`), name).toEqual([404, 'VID_HTTP_NOT_FOUND'])
  await open('go')
  await lastEvent()
})

test('a format that is not played while it is rendered has no playlist', async () => {
  const { send, post } = await startProducer()
  const body = { html: page(), quality: 'draft' }
  expect(await (await post('/render', body, { 'x-request-id': 'mp4' })).json()).toMatchObject({ success: true })
  expect(await (await send('/render/mp4')).json()).not.toHaveProperty('playlistUrl')
})
