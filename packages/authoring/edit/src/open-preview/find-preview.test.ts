import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeProject } from '../fixtures/project.ts'
import { findCompositionPlace, findPreview, findPreviewsBelow } from './find-preview.ts'
import { writePreviewNote } from './preview-note.ts'

const TOKEN = 'a'.repeat(32)
const { signal } = new AbortController()

/** A folder with a composition that is open in a preview, and one beside it. */
const makeProjects = async () => {
  const around = await makeProject({ 'film/scenes/one.html': '', 'film/index.html': '', 'other/index.html': '' })
  await writePreviewNote(join(around, 'film'), { port: 3002, token: TOKEN })
  return { around, composition: join(around, 'film') }
}

const placeIn = async (dir: string, entry: string, roots?: readonly string[]) =>
  (await findPreview({ dir, entry }, roots))?.place

test('the preview of a composition is that of the nearest folder around its file', async () => {
  const { around, composition } = await makeProjects()
  expect(await placeIn(composition, 'index.html')).toEqual({ dir: composition, entry: 'index.html' })
  expect(await placeIn(join(composition, 'scenes'), 'one.html')).toEqual({ dir: composition, entry: 'scenes/one.html' })
  expect(await placeIn(around, 'film/scenes/one.html')).toEqual({ dir: composition, entry: 'scenes/one.html' })
  expect(await placeIn(around, 'index.html')).toBeUndefined()
  expect(await placeIn(join(around, 'other'), 'index.html')).toBeUndefined()
  await writePreviewNote(join(composition, 'scenes'), { port: 3004, token: TOKEN })
  expect(await placeIn(composition, 'scenes/one.html')).toEqual({ dir: join(composition, 'scenes'), entry: 'one.html' })
})

test('no folder outside of the roots is searched', async () => {
  const { around, composition } = await makeProjects()
  const scenes = join(composition, 'scenes')
  expect(await placeIn(scenes, 'one.html', [around])).toEqual({ dir: composition, entry: 'scenes/one.html' })
  expect(await placeIn(scenes, 'one.html', [composition])).toEqual({ dir: composition, entry: 'scenes/one.html' })
  for (const roots of [[scenes], [join(around, 'other')], [`${composition}-two`], []])
    expect([roots, await placeIn(scenes, 'one.html', roots)]).toEqual([roots, undefined])
  expect(await placeIn(scenes, '../index.html', [scenes])).toBeUndefined()
})

test('previews below a folder are found, not through links, hidden folders and packages', async () => {
  const { around, composition } = await makeProjects()
  for (const hidden of ['.cache/film', 'node_modules/film']) {
    await mkdir(join(around, 'other', hidden), { recursive: true })
    await writePreviewNote(join(around, 'other', hidden), { port: 3006, token: TOKEN })
  }
  await symlink(composition, join(around, 'link'))
  expect(await findPreviewsBelow(around, signal)).toEqual([composition])
  expect(await findPreviewsBelow(composition, signal)).toEqual([])
})

test('a path names a folder, or the file of a composition', async () => {
  const { composition } = await makeProjects()
  expect(await findCompositionPlace(composition)).toEqual({ dir: composition, entry: 'index.html' })
  expect(await findCompositionPlace(join(composition, 'scenes/one.html'))).toEqual({
    dir: join(composition, 'scenes'),
    entry: 'one.html',
  })
  expect(await findCompositionPlace(composition, 'scenes/one.html')).toEqual({
    dir: composition,
    entry: 'scenes/one.html',
  })
})
