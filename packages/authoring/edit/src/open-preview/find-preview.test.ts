import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeProject } from '../fixtures/project.ts'
import { findPreview, findPreviewsBelow, placeOf } from './find-preview.ts'
import { writePreviewNote } from './preview-note.ts'

const TOKEN = 'a'.repeat(32)
const { signal } = new AbortController()

/** A folder with a film that is open in a preview, and one beside it. */
const makeFilms = async () => {
  const around = await makeProject({ 'film/scenes/one.html': '', 'film/index.html': '', 'other/index.html': '' })
  await writePreviewNote(join(around, 'film'), { port: 3002, token: TOKEN })
  return { around, film: join(around, 'film') }
}

const placeIn = async (dir: string, entry: string, roots?: readonly string[]) =>
  (await findPreview({ dir, entry }, roots))?.place

test('the preview of a composition is that of the nearest folder around its file', async () => {
  const { around, film } = await makeFilms()
  expect(await placeIn(film, 'index.html')).toEqual({ dir: film, entry: 'index.html' })
  expect(await placeIn(join(film, 'scenes'), 'one.html')).toEqual({ dir: film, entry: 'scenes/one.html' })
  expect(await placeIn(around, 'film/scenes/one.html')).toEqual({ dir: film, entry: 'scenes/one.html' })
  expect(await placeIn(around, 'index.html')).toBeUndefined()
  expect(await placeIn(join(around, 'other'), 'index.html')).toBeUndefined()
  await writePreviewNote(join(film, 'scenes'), { port: 3004, token: TOKEN })
  expect(await placeIn(film, 'scenes/one.html')).toEqual({ dir: join(film, 'scenes'), entry: 'one.html' })
})

test('no folder outside of the roots is searched', async () => {
  const { around, film } = await makeFilms()
  const scenes = join(film, 'scenes')
  expect(await placeIn(scenes, 'one.html', [around])).toEqual({ dir: film, entry: 'scenes/one.html' })
  expect(await placeIn(scenes, 'one.html', [film])).toEqual({ dir: film, entry: 'scenes/one.html' })
  for (const roots of [[scenes], [join(around, 'other')], [`${film}-two`], []])
    expect([roots, await placeIn(scenes, 'one.html', roots)]).toEqual([roots, undefined])
  expect(await placeIn(scenes, '../index.html', [scenes])).toBeUndefined()
})

test('previews below a folder are found, not through links, hidden folders and packages', async () => {
  const { around, film } = await makeFilms()
  for (const hidden of ['.cache/film', 'node_modules/film']) {
    await mkdir(join(around, 'other', hidden), { recursive: true })
    await writePreviewNote(join(around, 'other', hidden), { port: 3006, token: TOKEN })
  }
  await symlink(film, join(around, 'link'))
  expect(await findPreviewsBelow(around, signal)).toEqual([film])
  expect(await findPreviewsBelow(film, signal)).toEqual([])
})

test('a path names a folder, or the file of a composition', async () => {
  const { film } = await makeFilms()
  expect(await placeOf(film)).toEqual({ dir: film, entry: 'index.html' })
  expect(await placeOf(join(film, 'scenes/one.html'))).toEqual({ dir: join(film, 'scenes'), entry: 'one.html' })
  expect(await placeOf(film, 'scenes/one.html')).toEqual({ dir: film, entry: 'scenes/one.html' })
})
