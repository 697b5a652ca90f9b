import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeProject, page, TESTER, textAt } from '../fixtures/project.ts'
import { openEdit } from '../index.ts'
import { trimHistory } from './store.ts'

const texts = ['one', 'two', 'three', 'four']

/** A project with an edit for each text, and the folder of its history. */
const edits = async () => {
  const folder = await makeProject({ 'index.html': page('<p id="a" data-start="0">zero</p>') })
  const edit = await openEdit(folder)
  for (const text of texts) {
    await edit.stage([{ op: 'text', target: '#a', text }], { who: TESTER })
    await edit.write()
  }
  return { folder, edit, history: join(folder, '.vid/history') }
}

test('a history drops its oldest entries and the contents that only they need', async () => {
  const { folder, edit, history } = await edits()
  await trimHistory(history, { entries: 2, bytes: 1e6 })
  expect((await edit.log()).map(({ id }) => id)).toEqual([4, 3])
  expect(await readdir(join(history, 'blobs'))).toHaveLength(3)
  await edit.undo(TESTER)
  await edit.undo(TESTER)
  expect(await textAt(folder, 'index.html')).toContain('>two<')
  await expect(edit.undo(TESTER)).rejects.toMatchObject({ code: 'VID_EDIT_NOTHING' })
})

test('a history over its bytes keeps the newest entry, which can be undone', async () => {
  const { folder, edit, history } = await edits()
  await trimHistory(history, { entries: 200, bytes: 1 })
  expect((await edit.log()).map(({ id }) => id)).toEqual([4])
  await edit.undo(TESTER)
  expect(await textAt(folder, 'index.html')).toContain('>three<')
})
