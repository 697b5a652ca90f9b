import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { wavOf } from '@vid/testkit'
import { expect, test } from 'vitest'
import { partOf } from '../../../../../scripts/dev/part-of.ts'
import type { EditState, Operation, UploadReply } from '../edit-api.ts'
import { makeProject, openPreview, SQUARE } from '../fixtures/open-preview.ts'
import { createUploads } from './uploads.ts'

const entry = 'index.html'
const MAX_BYTES = 64 * 1024

/** A second of one level. */
const wav = (level = 0): Uint8Array => wavOf(() => level, { seconds: 1, rate: 8000 })

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Opens a preview of a project, and sends it files as its page does. */
const openUploads = async (files: Readonly<Record<string, string>> = {}) => {
  const folder = await makeProject({ 'index.html': SQUARE, ...files })
  const { page, cookie, ask } = await openPreview(folder, { maxUploadBytes: MAX_BYTES })
  const open = (name: string, headers: Readonly<Record<string, string>> = {}) =>
    request(`${page}/api/edit/upload?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/octet-stream', ...headers },
    })
  const upload = async (name: string, bytes: Uint8Array, headers: Readonly<Record<string, string>> = {}) => {
    const outgoing = open(name, headers)
    outgoing.on('error', () => {})
    outgoing.end(bytes)
    const [response] = await once(outgoing, 'response')
    let text = ''
    for await (const chunk of response) text += chunk
    return {
      status: response.statusCode as number,
      reply: JSON.parse(text) as UploadReply & { readonly error: { readonly code: string } },
    }
  }
  const post = async (path: string, body: object) => {
    const { status, text } = await ask(`/api/edit/${path}`, { method: 'POST', body: { entry, ...body } })
    return {
      status,
      reply: JSON.parse(text) as EditState & { readonly error: { readonly code: string; readonly message: string } },
    }
  }
  const insert = (upload: string, fields: object = {}) =>
    post('stage', { operations: [{ op: 'insert', import: upload, start: 0.5, duration: 1, ...fields } as Operation] })
  return { folder, open, upload, post, insert, source: () => readFile(join(folder, entry), 'utf8') }
}

/** The entries of a project, without what vid keeps there. */
const filesOf = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => name !== '.vid')

/** The files of a name that previews of this machine hold. */
const leftUploads = async (name: string): Promise<readonly string[]> => {
  const previews = (await readdir(tmpdir())).filter((folder) => folder.startsWith('vid-preview-'))
  const lists = await Promise.all(
    previews.map((folder) => readdir(join(tmpdir(), folder, 'uploads'), { recursive: true }).catch(() => [])),
  )
  return lists.flat().filter((file) => file.endsWith(name))
}

test('a file that is sent becomes a clip of the staged picture, a file of the project when it is written, and goes with undo', async () => {
  const { folder, upload, insert, post, source } = await openUploads()
  const { status, reply } = await upload('../My Sound.WAV', wav())
  expect(status).toBe(200)
  expect(reply).toEqual({ upload: expect.stringMatching(/^upload:/), name: 'My Sound.wav', kind: 'audio', duration: 1 })
  const staged = await insert(reply.upload, { track: 3 })
  expect(staged).toMatchObject({ status: 200, reply: { changes: 1 } })
  expect(staged.reply.tree.find(({ tag }) => tag === 'audio')).toMatchObject({
    names: ['my-sound'],
    src: 'assets/My Sound.wav',
    absoluteStart: 0.5,
    track: 3,
  })
  expect(await filesOf(folder)).toEqual(['index.html'])
  expect((await post('write', {})).reply).toMatchObject({ changes: 0, undo: 'written' })
  expect(await readFile(join(folder, 'assets/My Sound.wav'))).toEqual(wav())
  expect(await source()).toContain(
    '<audio id="my-sound" src="assets/My%20Sound.wav" data-start="0.5" data-duration="1"',
  )
  await post('undo', {})
  expect(await source()).toBe(SQUARE)
  expect(await readdir(join(folder, 'assets'))).toEqual([])
  await post('redo', {})
  expect(await readFile(join(folder, 'assets/My Sound.wav'))).toEqual(wav())
})

test('a file that the project has is referred to, and one of the same name is not written over', async () => {
  const { folder, upload, insert, post, source } = await openUploads({ 'assets/take.wav': 'mine' })
  await mkdir(join(folder, 'sounds'))
  await writeFile(join(folder, 'sounds/same.wav'), wav(0.1))
  await insert((await upload('take.wav', wav(0.1))).reply.upload)
  await insert((await upload('take.wav', wav(0.2))).reply.upload)
  await insert((await upload('take.wav', wav(0.2))).reply.upload)
  expect((await post('write', {})).status).toBe(200)
  expect([...(await source()).matchAll(/ src="([^"]*)"/g)].map(([, src]) => src)).toEqual([
    'sounds/same.wav',
    'assets/take-2.wav',
    'assets/take-2.wav',
  ])
  expect(await readFile(join(folder, 'assets/take.wav'), 'utf8')).toBe('mine')
  expect((await readdir(join(folder, 'assets'))).sort()).toEqual(['take-2.wav', 'take.wav'])
})

test.each(
  partOf(
    [
      ['a file of another kind', 'notes.txt', Buffer.from('x'), {}, 400, 'VID_PREVIEW_UPLOAD'],
      ['a page', 'page.html', Buffer.from('<p>'), {}, 400, 'VID_PREVIEW_UPLOAD'],
      ['a sound that is none', 'a.wav', Buffer.from('text'), {}, 400, 'VID_PREVIEW_SOURCE'],
      ['a file that is too large', 'a.png', Buffer.alloc(MAX_BYTES + 1), {}, 413, 'VID_HTTP_BODY_TOO_LARGE'],
      [
        'one that does not say its size',
        'a.png',
        Buffer.alloc(MAX_BYTES + 1),
        { 'transfer-encoding': 'chunked' },
        413,
        'VID_HTTP_BODY_TOO_LARGE',
      ],
      ['a file of another origin', 'a.png', PNG, { origin: 'http://localhost:1' }, 403, 'VID_HTTP_ORIGIN'],
      ['a file of the compositions', 'a.png', PNG, { origin: 'null' }, 403, 'VID_HTTP_ORIGIN'],
      ['a file without the cookie', 'a.png', PNG, { cookie: '' }, 401, 'VID_HTTP_UNAUTHORIZED'],
      ['a form', 'a.png', PNG, { 'content-type': 'text/plain' }, 415, 'VID_HTTP_MEDIA_TYPE'],
    ],
    4,
  ),
)('%s is refused, and nothing of it stays', async (_, name, bytes, headers, status, code) => {
  const { upload } = await openUploads()
  const unique = `${randomUUID()}-${name}`
  expect(await upload(unique, bytes, headers)).toMatchObject({ status, reply: { error: { code } } })
  expect(await leftUploads(unique)).toEqual([])
})

test('a file whose sending is ended leaves nothing', async () => {
  const { open, upload } = await openUploads()
  const name = `a${randomUUID()}.png`
  const outgoing = open(name, { 'transfer-encoding': 'chunked' })
  outgoing.on('error', () => {})
  outgoing.write(PNG)
  await expect.poll(() => leftUploads(name)).toHaveLength(1)
  outgoing.destroy()
  await expect.poll(() => leftUploads(name)).toEqual([])
  expect((await upload('a.png', PNG)).status).toBe(200)
})

test('a page can import its uploads alone, and not where a link leaves the project', async () => {
  const { folder, upload, insert, source } = await openUploads()
  const outside = await makeProject({ 'secret.png': 'secret' })
  for (const path of [
    join(outside, 'secret.png'),
    '/etc/passwd',
    'upload:00000000-0000-0000-0000-000000000000',
    'upload:../x',
  ])
    expect(await insert(path, { kind: 'image' })).toMatchObject({ reply: { error: { code: 'VID_PREVIEW_IMPORT' } } })
  for (const file of ['../secret.png', '.git/config', '/etc/passwd'])
    expect(await insert('', { import: undefined, file, kind: 'image' })).toMatchObject({
      reply: { error: { code: 'VID_EDIT_PATH' } },
    })
  await symlink(outside, join(folder, 'assets'))
  const { reply } = await upload('a.png', PNG)
  expect(await insert(reply.upload)).toMatchObject({ reply: { error: { code: 'VID_EDIT_PATH' } } })
  expect(await readdir(outside)).toEqual(['secret.png'])
  expect(await source()).toBe(SQUARE)
})

test('a file that fails leaves no folder', async () => {
  const folder = await makeProject({})
  const uploads = createUploads(folder, MAX_BYTES)
  const cut = async function* () {
    yield PNG
    throw new Error('the line is cut')
  }
  const content = Readable.from(cut())
  await expect(uploads.receive('a.png', content, new AbortController().signal)).rejects.toThrow('the line is cut')
  await expect(uploads.receive('a.png', Readable.from([PNG]), AbortSignal.abort())).rejects.toThrow('aborted')
  expect(await readdir(folder)).toEqual([])
})

test('all files of a preview together have a limit', async () => {
  const { upload } = await openUploads()
  const large = Buffer.concat([PNG, Buffer.alloc(MAX_BYTES - PNG.length)])
  for (let count = 0; count < 8; count += 1) expect((await upload('a.png', large)).status).toBe(200)
  expect(await upload('a.png', large)).toMatchObject({ status: 400, reply: { error: { code: 'VID_PREVIEW_UPLOADS' } } })
})
