import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Operation, ResolveReply } from './edit-api.ts'
import { type Asked, makeProject, openPreview, send } from './fixtures/open-preview.ts'

const PAGE = `<!doctype html>
<link rel="stylesheet" href="style.css">
<div data-composition-id="film" data-width="320" data-height="180" data-duration="4">
  <h1 id="title" data-start="0" data-duration="2">Hello</h1>
  <p data-start="1" data-duration="1">One</p>
  <p data-start="2" data-duration="1">Two</p>
</div>
`

const entry = 'index.html'

/** Opens a preview of a composition with three clips, and the calls of its page. */
const openEditor = async () => {
  const folder = await makeProject({ 'index.html': PAGE, 'style.css': '#title { color: red }\n' })
  const preview = await openPreview(folder)
  const ask = async (path: string, options: Asked = {}) => {
    const { status, text } = await preview.ask(path, options)
    return { status, reply: JSON.parse(text) as ResolveReply & { readonly error: { readonly code: string } } }
  }
  return {
    ...preview,
    folder,
    state: async () => (await ask(`/api/edit?entry=${entry}`)).reply,
    stage: (...operations: readonly Operation[]) =>
      ask('/api/edit/stage', { method: 'POST', body: { entry, operations } }),
    call: (name: string, body: object = {}) => ask(`/api/edit/${name}`, { method: 'POST', body: { entry, ...body } }),
    source: () => readFile(join(folder, entry), 'utf8'),
  }
}

const move: Operation = { op: 'move', target: '#title', to: 1 }

test('the compositions are served as they are staged, and the files stay until they are written', async () => {
  const { preview, state, stage, call, source } = await openEditor()
  const shown = async (path: string) =>
    (await send(`${preview.origin}/${path}`, { headers: { 'sec-fetch-dest': path === entry ? 'iframe' : 'style' } }))
      .text
  expect(await state()).toMatchObject({ changes: 0, undo: null, redo: null, conflict: null })
  const { status, reply } = await stage(move, { op: 'style', target: '#title', property: 'color', value: 'blue' })
  expect(status).toBe(200)
  expect(reply).toMatchObject({ changes: 1, undo: 'staged' })
  expect(reply.tree[0]).toMatchObject({ names: ['title'], absoluteStart: 1 })
  expect(await shown(entry)).toContain('data-start="1" data-duration="2">Hello')
  expect(await shown('style.css')).toContain('blue')
  expect(await source()).toBe(PAGE)
  expect((await call('write')).reply).toMatchObject({ changes: 0, undo: 'written', diff: '' })
  expect(await source()).toContain('<h1 id="title" data-start="1"')
  expect((await call('undo')).reply).toMatchObject({ undo: null, redo: 'written' })
  expect(await source()).toBe(PAGE)
  expect((await call('redo')).status).toBe(200)
  expect(await source()).toContain('<h1 id="title" data-start="1"')
})

test('elements without an id are changed together by their places, and taken back together', async () => {
  const { state, stage, call } = await openEditor()
  const starts = ({ tree }: Pick<ResolveReply, 'tree'>) => tree.map(({ absoluteStart }) => absoluteStart)
  const places = (await state()).clips.filter(({ id }) => id === null).map(({ address }) => address)
  const moves = places.map((target): Operation => ({ op: 'move', target, by: 0.5 }))
  const { reply } = await stage(...moves)
  expect(starts(reply)).toEqual([0, 1.5, 2.5])
  expect(reply.changes).toBe(1)
  expect(starts((await call('undo')).reply)).toEqual([0, 1, 2])
  expect(starts((await call('redo')).reply)).toEqual([0, 1.5, 2.5])
  expect((await stage(...moves)).reply.error.code).toBe('VID_EDIT_STALE')
  expect((await state()).changes).toBe(1)
})

test('what another program writes elsewhere is kept below what is staged', async () => {
  const { folder, state, stage, source, call } = await openEditor()
  await stage(move)
  await writeFile(join(folder, entry), PAGE.replace('Two', 'Three'))
  await expect.poll(async () => (await state()).diff).toContain('data-start="1"')
  expect((await state()).conflict).toBeNull()
  expect((await call('write')).status).toBe(200)
  expect(await source()).toContain('Three')
  expect(await source()).toContain('<h1 id="title" data-start="1"')
})

test.each([
  ['mine', '<h1 id="title" data-start="1" data-duration="3"'],
  ['theirs', '<h1 id="title" data-start="0.5" data-duration="3"'],
])('a conflict is reported, and solved by keeping %s', async (keep, line) => {
  const { folder, state, stage, source, call } = await openEditor()
  await stage(move)
  await writeFile(
    join(folder, entry),
    PAGE.replace('data-start="0" data-duration="2"', 'data-start="0.5" data-duration="3"'),
  )
  await expect.poll(async () => (await state()).conflict?.code).toBe('VID_EDIT_CONFLICT')
  const { reply } = await call('resolve', { keep })
  expect(reply).toMatchObject({ conflict: null, dropped: [], changes: keep === 'mine' ? 1 : 0 })
  if (keep === 'mine') await call('write')
  expect(await source()).toContain(line)
})

test('what is staged can only be reached by the page, and holds nothing but operations', async () => {
  const { preview, page, cookie, stage, state, source } = await openEditor()
  const body = { entry, operations: [move] }
  const from = async (url: string, headers: NonNullable<Asked['headers']>) =>
    (await send(`${url}/api/edit/stage`, { method: 'POST', body, headers })).status
  expect(await from(page, {})).toBe(401)
  expect(await from(page, { cookie, 'sec-fetch-site': 'same-site', origin: preview.origin })).toBe(403)
  expect(await from(page, { cookie, origin: preview.origin })).toBe(403)
  expect(await from(preview.origin, { cookie })).toBe(405)
  const media = await stage({ op: 'media', target: '#title', import: '/etc/passwd' })
  expect(media.reply.error.code).toBe('VID_PREVIEW_IMPORT')
  const unknown = await stage({ ...move, path: '/etc/passwd' } as Operation)
  expect(unknown.status).toBe(400)
  const many = await stage(...Array.from({ length: 501 }, () => move))
  expect(many.status).toBe(400)
  const long = await stage({ op: 'text', target: '#title', text: 'x'.repeat(3 * 1024 * 1024) })
  expect(long.status).toBe(413)
  expect((await state()).changes).toBe(0)
  expect(await source()).toBe(PAGE)
})

test('an element is found by its place in the page or its line, and refused where the sources hold none there', async () => {
  const { ask } = await openEditor()
  const inspect = async (target: object) => {
    const { text } = await ask('/api/edit/inspect', { method: 'POST', body: { entry, target } })
    return JSON.parse(text)
  }
  expect(await inspect({ page: '#title' })).toMatchObject({ element: '<h1 id="title">', line: 4 })
  expect(await inspect({ page: 'body/div/p[2]' })).toMatchObject({ tag: 'p', line: 6, text: { value: 'Two' } })
  expect(await inspect({ file: entry, line: 5 })).toMatchObject({ tag: 'p', text: { value: 'One' } })
  for (const page of ['body/div/p[3]', 'body/div/h1/b', '#none/p'])
    expect(await inspect({ page })).toMatchObject({ error: { code: 'VID_PREVIEW_ELEMENT' } })
})
