import { readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Editor } from '../events.ts'
import { makeProject, page, TESTER, writeEdit } from '../fixtures/project.ts'
import {
  addComment,
  answerComment,
  openEdit,
  pinOf,
  placeComments,
  readComments,
  removeComment,
  resolveComment,
} from '../index.ts'

const html = page(`      <h1 id="title" data-start="1" data-duration="1">Hello</h1>
      <p>One</p>
      <p>Two</p>`)

const HELPER: Editor = { kind: 'assistant', name: 'helper' }

const open = async () => {
  const dir = await makeProject({ 'index.html': html })
  const comment = async (path: string | null, text = 'Larger, please') => {
    const edit = await openEdit(dir)
    const digest = (await edit.digest('index.html')) ?? ''
    const target = path?.startsWith('#') ? path : { file: 'index.html', path: path ?? '', digest }
    const pin = path === null ? null : pinOf(await edit.inspect(target))
    return addComment({ dir }, { entry: 'index.html', from: 1.5, to: null, pin, who: TESTER, text })
  }
  const placed = async () => {
    const edit = await openEdit(dir)
    return placeComments(await readComments(dir), async () => edit.find)
  }
  return { dir, comment, placed }
}

test('comments outlive the process: they are answered, marked as done, opened again and removed by their numbers', async () => {
  const { dir, comment, placed } = await open()
  await comment(null, 'First')
  const { id } = await comment('#title')
  await answerComment({ dir }, id, HELPER, 'It is 96 px now')
  await resolveComment({ dir }, id, HELPER)
  expect(await placed()).toMatchObject([
    { id: 1, text: 'First', pin: null, place: null, resolved: null },
    {
      id: 2,
      answers: [{ who: HELPER, text: 'It is 96 px now' }],
      resolved: HELPER,
      place: { file: 'index.html', line: 6, target: 'index.html#title' },
    },
  ])
  expect(await resolveComment({ dir }, id, null)).toMatchObject({ resolved: null })
  await removeComment({ dir }, id)
  // The number of a removed comment is not given to another one.
  expect(await comment(null)).toMatchObject({ id: 3 })
  expect((await stat(join(dir, '.vid/comments.json'))).mode & 0o077).toBe(0)
  await expect(answerComment({ dir }, id, HELPER, 'x')).rejects.toMatchObject({ code: 'VID_COMMENT_UNKNOWN' })
})

const TWO = 'html/body/div/p[2]'

test.each<readonly [string, (text: string) => string, number | null]>([
  ['a line is written above it', (text) => text.replace('<p>One', '\n<p>Zero</p>\n<p>One'), 10],
  ['its text is changed', (text) => text.replace('Two', 'Three'), 8],
  ['the one before it is removed', (text) => text.replace('<p>One</p>', ''), 8],
  ['it is removed', (text) => text.replace('<p>Two</p>', ''), null],
  ['its file holds another page', () => page('<video src="a.mp4"></video>'), null],
])('a comment on an element without an id stays with it after %s', async (_, edit, line) => {
  const { dir, comment, placed } = await open()
  await comment(TWO)
  await writeFile(join(dir, 'index.html'), edit(html))
  const [first] = await placed()
  expect([first?.from, first?.place?.line ?? null]).toEqual([1.5, line])
})

test('a comment stays at its time when its element or its composition is gone', async () => {
  const { dir, comment, placed } = await open()
  await comment('#title')
  await writeEdit(dir, [{ op: 'remove', target: '#title' }])
  expect(await placed()).toMatchObject([{ from: 1.5, pin: { id: 'title' }, place: null }])
  const gone = async () => {
    await openEdit(dir, { entry: 'other.html' })
    throw new Error('it is there')
  }
  expect(await placeComments(await readComments(dir), gone)).toMatchObject([{ from: 1.5, place: null }])
})

test('comments that two programs write at once are all kept', async () => {
  const { dir, comment } = await open()
  await Promise.all(Array.from({ length: 12 }, (_, index) => comment(null, `number ${index}`)))
  const comments = await readComments(dir)
  expect(new Set(comments.map(({ text }) => text)).size).toBe(12)
  expect(comments.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
})

test('a file that holds no comments is not written over, and a link is not followed', async () => {
  const { dir, comment } = await open()
  await comment(null)
  const file = join(dir, '.vid/comments.json')
  await writeFile(file, '{"next": 1}')
  await expect(comment(null)).rejects.toMatchObject({ code: 'VID_COMMENT_FILE' })
  expect(await readFile(file, 'utf8')).toBe('{"next": 1}')
  const other = await makeProject({ 'index.html': html })
  await symlink(join(dir, '.vid'), join(other, '.vid'))
  await expect(readComments(other)).rejects.toMatchObject({ code: 'VID_EDIT_PATH' })
})
