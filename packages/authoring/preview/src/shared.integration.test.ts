import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import editCommands from '@vid/edit/commands'
import { runInFolder } from '@vid/testkit'
import { expect, test } from 'vitest'
import type { CommentsReply } from './comments-api.ts'
import type { EditState } from './edit-api.ts'
import { makeProject, openPreview, SQUARE, send } from './fixtures/open-preview.ts'

const entry = 'index.html'

const view = {
  entry,
  frame: 15,
  time: 0.5,
  isPlaying: false,
  range: null,
  selected: { element: '<p id="title">', place: { file: entry, line: 4, target: 'index.html#title' } },
}

/** Opens a preview whose page has reported what it shows, and runs commands of an assistant. */
const openShared = async () => {
  const folder = await makeProject({ [entry]: SQUARE })
  const preview = await openPreview(folder)
  const json = async <T>(path: string, body?: object): Promise<T> =>
    JSON.parse((await preview.ask(path, body ? { method: 'POST', body } : {})).text)
  await json('/api/view', view)
  const vid = async (path: string, ...words: string[]) => {
    const command = editCommands.find((other) => other.path === path)
    if (!command) throw new Error(`there is no ${path}`)
    const run = await runInFolder(command, folder, ...words, '--json')
    return { stderr: run.stderr, event: JSON.parse(run.stdout || '{}') }
  }
  return {
    ...preview,
    folder,
    json,
    vid,
    state: () => json<EditState>(`/api/edit?entry=${entry}`),
    source: () => readFile(join(folder, entry), 'utf8'),
  }
}

const MOVE = ['#title', '+0.25s', '--as', 'helper']

test('an edit of an assistant is staged under its name, and the person writes it', async () => {
  const { vid, state, source, json, folder } = await openShared()
  const { event } = await vid('edit move', ...MOVE)
  expect(event).toMatchObject({ type: 'edit', staged: true, entry: null, summary: [expect.any(String)] })
  expect(event.diff).toContain('data-start="0.75"')
  expect(await source()).toBe(SQUARE)
  expect(await state()).toMatchObject({ changes: 1, authors: [{ kind: 'assistant', name: 'helper' }] })
  const { event: list } = await vid('comments list')
  expect(list.preview).toMatchObject({ view, staged: [{ who: { name: 'helper' }, summary: event.summary }] })
  await json('/api/edit/write', { entry })
  expect(await source()).toContain('data-start="0.75"')
  expect((await vid('edit log')).event.entries).toMatchObject([{ who: { kind: 'assistant', name: 'helper' } }])
  // A person's command writes at once, also while the preview is open.
  expect((await vid('edit move', '#title', '+0.25s')).event).toMatchObject({ staged: false, entry: { id: 2 } })
  expect(await readdir(join(folder, '.vid'))).toContain('preview.json')
})

test('one staged change is dropped, and those of others stay', async () => {
  const { vid, state, json } = await openShared()
  await vid('edit move', ...MOVE)
  await json('/api/edit/stage', {
    entry,
    operations: [{ op: 'style', target: '#title', property: 'color', value: 'red' }],
  })
  expect((await state()).authors.map(({ kind }) => kind)).toEqual(['assistant', 'person'])
  // What a person has staged is not the assistant's to take back.
  expect((await vid('edit undo', '--as', 'helper')).stderr).toContain('VID_PREVIEW_OTHERS')
  const reply = await json<EditState>('/api/edit/drop', { entry, index: 0 })
  expect(reply).toMatchObject({ changes: 1, authors: [{ kind: 'person' }], dropped: [] })
  expect(reply.diff).toContain('color')
  expect(reply.diff).not.toContain('data-start="0.75"')
})

test('an assistant takes back what it has staged itself', async () => {
  const { vid, state } = await openShared()
  await vid('edit move', ...MOVE)
  expect((await vid('edit undo', '--as', 'helper')).event).toMatchObject({ type: 'edit-undo', entry: null })
  expect(await state()).toMatchObject({ changes: 0 })
  expect((await vid('edit undo', '--as', 'helper')).stderr).toContain('VID_EDIT_NOTHING')
})

test('comments of the page are read, answered and resolved by commands, and follow what is staged', async () => {
  const { vid, json, ask } = await openShared()
  const added = await json<CommentsReply>('/api/comments', {
    entry,
    from: 0.5,
    to: 1,
    target: '#title',
    text: 'Later, please',
  })
  expect(added.comments).toMatchObject([{ id: 1, from: 0.5, to: 1, place: { target: 'index.html#title' } }])
  const { event } = await vid('comments list')
  expect(event.comments).toMatchObject([{ id: 1, text: 'Later, please', who: { kind: 'person' } }])
  await vid('comments answer', '1', 'It starts at 0.75 s', '--resolve', '--as', 'helper')
  const list = () => json<CommentsReply>(`/api/comments?entry=${entry}`)
  expect((await list()).comments).toMatchObject([
    { answers: [{ who: { name: 'helper' }, text: 'It starts at 0.75 s' }], resolved: { name: 'helper' } },
  ])
  await json('/api/edit/stage', { entry, operations: [{ op: 'remove', target: '#title' }] })
  expect((await list()).comments).toMatchObject([{ from: 0.5, place: null }])
  expect((await ask(`/api/comments/1?entry=${entry}`, { method: 'DELETE' })).status).toBe(200)
  expect((await vid('comments list', '--all')).event.comments).toEqual([])
  expect((await ask('/api/comments/9', { method: 'POST', body: { entry, text: 'x' } })).text).toContain(
    'VID_COMMENT_UNKNOWN',
  )
})

test('the shared paths take the token of the note alone, and that token opens nothing else', async () => {
  const { folder, page, cookie, token } = await openShared()
  const note = JSON.parse(await readFile(join(folder, '.vid/preview.json'), 'utf8')) as { token: string }
  expect(note.token).not.toBe(token)
  const status = async (path: string, headers: Readonly<Record<string, string>>) =>
    (await send(`${page}${path}`, { headers })).status
  const bearer = { authorization: `Bearer ${note.token}` }
  expect(await status('/api/shared/view', bearer)).toBe(200)
  expect(await status('/api/shared/view', { cookie })).toBe(401)
  expect(await status('/api/shared/view', { authorization: `Bearer ${token}` })).toBe(401)
  expect(await status('/api/shared/view', { ...bearer, origin: 'http://evil.example' })).toBe(403)
  expect(await status('/api/shared/view', { ...bearer, 'sec-fetch-site': 'same-site' })).toBe(403)
  expect(await status('/api/project', bearer)).toBe(401)
  expect(await status(`/?token=${note.token}`, {})).toBe(401)
})

test('comments are there again after the preview was started again, and its note is gone with it', async () => {
  const { folder, json, preview, source } = await openShared()
  await json('/api/comments', { entry, from: 0, to: null, target: null, text: 'Shorter' })
  await preview.close()
  expect(await readdir(join(folder, '.vid'))).not.toContain('preview.json')
  await writeFile(join(folder, entry), (await source()).replace('hi</p>', 'bye</p>'))
  const again = await openPreview(folder)
  expect((await again.ask(`/api/comments?entry=${entry}`)).text).toContain('Shorter')
})
