import { CloudPublicationSchema } from '@vid/client/contract'
import { schemaProblems } from '@vid/protocol'
import { createServer } from '@vid/server'
import { expect, onTestFinished, test } from 'vitest'
import { createAccount, disableAccount } from '../accounts/accounts.ts'
import { createKey } from '../accounts/api-keys.ts'
import { createAuthenticate } from '../accounts/authenticate.ts'
import { emptyDatabase } from '../fixtures/database.ts'
import { newRender } from '../fixtures/renders.ts'
import { addPublicationRoutes } from './publication-routes.ts'

const start = async () => {
  const database = await emptyDatabase()
  const server = await createServer({
    api: { title: 'pages', version: '1' },
    authenticate: createAuthenticate(database),
    log: { level: 'silent' },
    errors: { statuses: { VID_CLOUD_PUBLICATION_UNKNOWN: 404, VID_CLOUD_RENDER_UNKNOWN: 404 } },
  })
  onTestFinished(() => server.close())
  let signed = 0
  let url = ''
  addPublicationRoutes({
    app: server.app,
    database,
    publicUrl: () => url,
    play: { originOf: () => undefined },
    addressesOf: async ({ id, status, request }) => {
      signed += 1
      if (status !== 'completed') return { video_url: null, thumbnail_url: null, poster_url: null, playlist_url: null }
      return {
        video_url: `https://files.example/${id}.mp4?a=1&s=${signed}`,
        thumbnail_url: `https://pictures.example/${id}.jpg?s=${signed}`,
        poster_url: request.poster === undefined ? null : `https://pictures.example/${id}/poster.jpg`,
        playlist_url: request.format === 'hls' ? `https://streams.example/${id}/index.m3u8` : null,
      }
    },
  })
  url = (await server.listen(0)).url
  const newClient = async () => {
    const { id } = await createAccount(database, {})
    const { key } = await createKey(database, id)
    const call = async (method: string, path: string, body?: unknown) => {
      const reply = await fetch(`${url}/v3/vid/publications${path}`, {
        method,
        headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return {
        status: reply.status,
        ...((await reply.json()) as { data?: Record<string, never>; error?: object }),
      }
    }
    return { accountId: id, call }
  }
  const open = async (address: string) => {
    const reply = await fetch(address)
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  }
  return { database, url, newClient, open, mine: await newClient() }
}

test('a render becomes a page with its picture, video, facts and variables, and fresh addresses each time', async () => {
  const { database, url, mine, open } = await start()
  const { id } = await newRender(database, {
    accountId: mine.accountId,
    title: 'My <b>film</b>',
    variables: { name: '<script>alert(1)</script>', size: 3, list: ['a'] },
  })
  const { status, data } = await mine.call('POST', '', { render_id: id })
  expect(status).toBe(200)
  expect(schemaProblems(CloudPublicationSchema, data)).toEqual([])
  expect(data).toMatchObject({ render_id: id, title: 'My <b>film</b>', public: false, play: true })
  const address = String(data?.url)
  expect(address).toMatch(new RegExp(`^${url}/p/[A-Za-z0-9]{32}$`))
  const first = await open(address)
  const second = await open(address)
  expect(first.status).toBe(200)
  expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(first.headers.get('x-robots-tag')).toBe('noindex, nofollow')
  expect(first.headers.get('cache-control')).toBe('no-store')
  const policy = first.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action 'none'; frame-ancestors 'none'/)
  expect(policy).toContain('media-src https://files.example https://pictures.example')
  expect(policy).not.toMatch(/script-src|unsafe/)
  expect(first.text).toContain('<h1>My &lt;b&gt;film&lt;/b&gt;</h1>')
  expect(first.text).toContain(`src="https://files.example/${id}.mp4?a=1&amp;s=1"`)
  expect(first.text).toContain(`poster="https://pictures.example/${id}.jpg?s=1"`)
  expect(second.text).toContain('&amp;s=2"')
  for (const part of ['2.5 s', '1920 × 1080', '1.2 MB', '&lt;script&gt;alert(1)', '[&quot;a&quot;]'])
    expect(first.text).toContain(part)
  expect(first.text).not.toMatch(/<script|<b>/)
})

test('a page is gone after it was unpublished, its render deleted, or its account disabled', async () => {
  const { database, mine, open } = await start()
  const published = async () => {
    const { id } = await newRender(database, { accountId: mine.accountId })
    const { data } = await mine.call('POST', '', { render_id: id })
    return { id, publication: String(data?.publication_id), address: String(data?.url) }
  }
  const one = await published()
  const two = await published()
  const three = await published()
  expect(await mine.call('DELETE', `/${one.publication}`)).toEqual({
    status: 200,
    data: { publication_id: one.publication, deleted: true },
  })
  expect(await mine.call('DELETE', `/${one.publication}`)).toMatchObject({ status: 404 })
  await database.run('UPDATE vid.renders SET deleted_at = now() WHERE id = $1', [two.id])
  for (const { address } of [one, two]) {
    const { status, text, headers } = await open(address)
    expect(status).toBe(404)
    expect(text).toContain('There is no such video')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  }
  const list = await mine.call('GET', '')
  expect(list.data).toMatchObject([{ publication_id: three.publication }])
  // Published again, it has another address.
  const again = await mine.call('POST', '', { render_id: one.id })
  expect(again.data?.url).not.toBe(one.address)
  expect((await open(String(again.data?.url))).status).toBe(200)
  await disableAccount(database, mine.accountId)
  expect((await open(three.address)).status).toBe(404)
})

test('publishing again changes the page, and keeps its address', async () => {
  const { database, mine } = await start()
  const { id } = await newRender(database, { accountId: mine.accountId })
  const first = await mine.call('POST', '', { render_id: id, title: 'One' })
  const second = await mine.call('POST', '', { render_id: id, public: true })
  expect(second.data).toEqual({ ...first.data, public: true })
  const many = await Promise.all(['Two', 'Two'].map((title) => mine.call('POST', '', { render_id: id, title })))
  expect(many.map(({ data }) => data?.url)).toEqual([first.data?.url, first.data?.url])
  expect((await mine.call('GET', '')).data).toMatchObject([{ title: 'Two', public: false }])
})

test('renders and publications of other accounts are not there', async () => {
  const { database, mine, newClient } = await start()
  const other = await newClient()
  const { id } = await newRender(database, { accountId: mine.accountId })
  const { data } = await mine.call('POST', '', { render_id: id })
  expect(await other.call('POST', '', { render_id: id })).toMatchObject({
    status: 404,
    error: { code: 'VID_CLOUD_RENDER_UNKNOWN' },
  })
  expect(await other.call('DELETE', `/${data?.publication_id}`)).toMatchObject({
    status: 404,
    error: { code: 'VID_CLOUD_PUBLICATION_UNKNOWN' },
  })
  expect((await other.call('GET', '')).data).toEqual([])
  expect((await mine.call('GET', '')).data).toHaveLength(1)
})

test('everybody finds public pages in the list, and no others', async () => {
  const { database, url, mine, open } = await start()
  expect((await open(`${url}/p`)).text).toContain('There are none yet.')
  const publicRender = await newRender(database, { accountId: mine.accountId, title: 'Shown & seen' })
  const hidden = await newRender(database, { accountId: mine.accountId, title: 'Hidden' })
  const { data } = await mine.call('POST', '', { render_id: publicRender.id, public: true })
  await mine.call('POST', '', { render_id: hidden.id })
  const { text, headers } = await open(`${url}/p`)
  expect(text).toContain(`<a href="${new URL(String(data?.url)).pathname}">Shown &amp; seen</a>`)
  expect(text).not.toContain('Hidden')
  expect(headers.get('x-robots-tag')).toBeNull()
  expect((await open(String(data?.url))).headers.get('x-robots-tag')).toBeNull()
})

test('a render that has not ended says so and looks again; one that failed keeps why to its owner', async () => {
  const { database, mine, open } = await start()
  const waiting = await newRender(database, { accountId: mine.accountId, status: 'queued' })
  const failed = await newRender(database, { accountId: mine.accountId, status: 'failed' })
  const address = async (id: string) => String((await mine.call('POST', '', { render_id: id })).data?.url)
  const first = await open(await address(waiting.id))
  expect(first.text).toContain('The video waits to be rendered.')
  expect(first.headers.get('refresh')).toBe('10')
  expect(first.text).not.toMatch(/<video|<img/)
  const second = await open(await address(failed.id))
  expect(second.text).toContain('The video could not be rendered.')
  expect(second.text).not.toContain('it does not load')
  expect(second.headers.get('refresh')).toBeNull()
})

test.each([
  [{}],
  [{ render_id: 'x' }],
  [{ render_id: 'render_1', other: 1 }],
  [{ render_id: 'render_1', public: 'yes' }],
  [{ render_id: 'render_1', play: 'no' }],
])('the body %j is refused', async (body) => {
  const { mine } = await start()
  expect(await mine.call('POST', '', body)).toMatchObject({ status: 400 })
})

test('the page of an hls video plays its playlist, and offers its zip', async () => {
  const { database, mine, open } = await start()
  const { id } = await newRender(database, { accountId: mine.accountId, format: 'hls' })
  const { data } = await mine.call('POST', '', { render_id: id })
  const { text, headers } = await open(String(data?.url))
  expect(text).toMatch(new RegExp(`<video [^>]*src="https://streams.example/${id}/index.m3u8"`))
  expect(text).toMatch(new RegExp(`<a href="https://files.example/${id}.mp4[^"]*" download>`))
  const policy = headers.get('content-security-policy') ?? ''
  const origins = 'https://files.example https://pictures.example https://streams.example'
  expect(policy).toContain(`media-src ${origins} blob:`)
  expect(policy).toContain(`connect-src 'self' ${origins}; worker-src blob:`)
  expect(text).toContain("import('/p/hls.js')")
})

test('the page of a video with a poster shows it before the video is played, in place of the thumbnail', async () => {
  const { database, mine, open } = await start()
  const { id } = await newRender(database, { accountId: mine.accountId, poster: '40%' })
  const { data } = await mine.call('POST', '', { render_id: id })
  const { text } = await open(String(data?.url))
  const address = `https://pictures.example/${id}/poster.jpg`
  expect(text).toMatch(new RegExp(`<video [^>]*poster="${address}"><img src="${address}"`))
  expect(text).not.toContain(`${id}.jpg`)
})

test('a render of several shapes has no page, and the refusal names its videos', async () => {
  const { database, mine } = await start()
  const { accountId } = mine
  const [story, tall, square] = [
    await newRender(database, { accountId }),
    await newRender(database, { accountId }),
    await newRender(database, { accountId }),
  ]
  const ids = [tall.id, square.id]
  await database.run('UPDATE vid.renders SET parent_id = $1 WHERE id = ANY($2::text[])', [story.id, ids])
  const { status, error } = await mine.call('POST', '', { render_id: story.id })
  expect([status, JSON.stringify(error)]).toEqual([400, expect.stringContaining(ids.join(', '))])
  expect((await mine.call('POST', '', { render_id: tall.id })).status).toBe(200)
})
