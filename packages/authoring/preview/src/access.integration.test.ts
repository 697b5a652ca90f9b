import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { partOf } from '../../../../scripts/dev/part-of.ts'
import { makeProject, openPreview, SQUARE, send } from './fixtures/open-preview.ts'

test('the address with the token sets a cookie that no other site sends, and nothing else opens the API', async () => {
  const { page, token, ask } = await openPreview(await makeProject())
  const entered = await send(`${page}/?token=${token}`)
  expect(entered.headers['set-cookie']).toEqual([
    expect.stringMatching(/^vid_preview_\d+=\S+; HttpOnly; SameSite=Strict; Path=\/$/),
  ])
  expect(entered.headers['referrer-policy']).toBe('no-referrer')
  expect((await ask('/api/project')).status).toBe(200)
  expect((await ask('/api/project', { headers: { cookie: undefined } })).status).toBe(401)
  const wrong = `vid_preview_1=${token}`
  expect((await ask('/api/project', { headers: { cookie: wrong } })).status).toBe(401)
  expect((await send(`${page}/?token=${token.slice(1)}x`)).status).toBe(401)
  expect((await send(`${page}/?token=`)).headers['set-cookie']).toBeUndefined()
})

test('the page for a browser without the session is styled, and loads nothing', async () => {
  const { page } = await openPreview(await makeProject())
  const { status, text, headers } = await send(`${page}/`)
  expect(status).toBe(401)
  expect(text).toMatch(/<style>[^<]*color-scheme: light dark/)
  expect(text).not.toMatch(/src=|href=/)
  expect(headers['content-security-policy']).toContain("default-src 'none'")
})

test.each(
  partOf(
    [
      ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['another origin', { origin: 'http://localhost:1' }],
      ['a sandboxed page', { origin: 'null' }],
    ],
    2,
  ),
)('the API refuses what a page of %s sends, with the cookie too', async (_, headers) => {
  const { ask } = await openPreview(await makeProject())
  for (const path of ['/api/project', '/api/events', '/api/jobs'])
    expect((await ask(path, { headers })).status).toBe(403)
})

test('a name that was made to point here is refused, on both origins', async () => {
  const { ask, preview } = await openPreview(await makeProject())
  expect((await ask('/api/project', { headers: { host: 'evil.example' } })).status).toBe(421)
  for (const host of ['evil.example', '127.0.0.1', `127.0.0.1:${new URL(preview.origin).port}`])
    expect((await send(`${preview.origin}/index.html`, { headers: { host } })).status).toBe(421)
})

test('the API reads no cookie on the origin of the compositions, and that origin has no API', async () => {
  const { preview, cookie } = await openPreview(await makeProject())
  const reply = await send(`${preview.origin}/api/project`, { headers: { cookie } })
  expect(reply.status).toBe(404)
})

test('only files of the project are served: nothing hidden, above it, or behind a link that leaves it', async () => {
  const outside = await makeProject({ 'secret.html': SQUARE })
  const folder = await makeProject({ 'index.html': SQUARE, '.env': 'secret', 'a/b.txt': 'b' })
  await symlink(join(outside, 'secret.html'), join(folder, 'link.html'))
  await mkdir(join(folder, '.git'))
  await writeFile(join(folder, '.git/config'), 'secret')
  const { preview, ask } = await openPreview(folder)
  const get = async (path: string, headers = {}) => (await send(`${preview.origin}${path}`, { headers })).status
  expect(await get('/a/b.txt')).toBe(200)
  for (const path of ['/.env', '/.git/config', '/link.html']) expect(await get(path)).toBe(403)
  for (const path of ['/%2e%2e/secret.html', '/a%2f..%2f..%2fx', '/..%5cx', '/a/../../x'])
    expect([400, 403, 404]).toContain(await get(path))
  const asDocument = await send(`${preview.origin}/link.html`, { headers: { 'sec-fetch-dest': 'iframe' } })
  expect(asDocument.text).toContain('VID_ENTRY_OUTSIDE')
  for (const file of ['../secret.html', '.env', 'link.html', '/etc/passwd', 'a'])
    expect((await ask('/api/editor', { method: 'POST', body: { file } })).text).toContain('VID_PREVIEW_FILE')
  for (const src of ['../secret.mp4', '.env', 'link.html', 'file:///etc/passwd'])
    expect((await ask(`/api/waveform?count=4&src=${encodeURIComponent(src)}`)).status).toBe(404)
})

test('a script of the project cannot become the service worker of its origin', async () => {
  const { preview } = await openPreview(await makeProject({ 'index.html': SQUARE, 'own.js': '' }))
  const headers = { 'service-worker': 'script', 'sec-fetch-dest': 'serviceworker' }
  expect((await send(`${preview.origin}/own.js`, { headers })).status).toBe(404)
  expect((await send(`${preview.origin}/.vid/worker.js`, { headers })).status).toBe(200)
})

test('a composition may be shown by the page alone, and loads nothing from elsewhere without the worker', async () => {
  const { preview, page } = await openPreview(await makeProject())
  const { headers, text } = await send(`${preview.origin}/index.html`, {
    headers: { 'sec-fetch-dest': 'iframe' },
  })
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain(`frame-ancestors 'self' ${page}`)
  expect(policy).not.toMatch(/https?:[ ;]/)
  expect(text).toContain('id="title"')
})

test('an address of this machine is not fetched for a composition', async () => {
  const { preview, page } = await openPreview(await makeProject())
  const url = encodeURIComponent(`${page}/api/project`)
  const reply = await send(`${preview.origin}/.vid/remote?url=${url}`)
  expect(reply.status).toBe(502)
  expect(reply.text).not.toContain('compositions')
})
