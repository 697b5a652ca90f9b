import { chmod, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeProject } from '../fixtures/project.ts'
import { findPreviewNote, writePreviewNote } from './preview-note.ts'

const TOKEN = 'a'.repeat(32)
const note = (dir: string) => join(dir, '.vid/preview.json')

test('a preview is found while it runs, by its user alone', async () => {
  const dir = await makeProject({})
  const remove = await writePreviewNote(dir, { port: 3002, token: TOKEN })
  expect(await findPreviewNote(dir)).toMatchObject({ pid: process.pid, port: 3002, token: TOKEN })
  expect((await stat(note(dir))).mode & 0o777).toBe(0o600)
  await remove()
  expect(await findPreviewNote(dir)).toBeUndefined()
  expect(await readdir(dir)).toEqual([])
})

test('a later preview stays noted when the one before it ends', async () => {
  const dir = await makeProject({})
  const removeFirst = await writePreviewNote(dir, { port: 3002, token: TOKEN })
  const removeSecond = await writePreviewNote(dir, { port: 3003, token: 'b'.repeat(32) })
  await removeFirst()
  expect(await findPreviewNote(dir)).toMatchObject({ port: 3003 })
  await removeSecond()
  expect(await findPreviewNote(dir)).toBeUndefined()
})

test.each<readonly [string, (dir: string) => Promise<unknown>]>([
  ['that others may read', (dir) => chmod(note(dir), 0o644)],
  [
    'of a process that has ended',
    async (dir) => {
      const text = await readFile(note(dir), 'utf8')
      await writeFile(note(dir), text.replace(/"begun":[^,]+/, '"begun":"1"').replace(/"pid":\d+/, '"pid":4194303'))
    },
  ],
  ['with an address in place of a port', (dir) => writeFile(note(dir), '{"port":"evil.example"}')],
  [
    'behind a link',
    async (dir) => {
      await rename(note(dir), join(dir, 'elsewhere.json'))
      await symlink(join(dir, 'elsewhere.json'), note(dir))
    },
  ],
  [
    'in a folder behind a link',
    async (dir) => {
      await rename(join(dir, '.vid'), join(dir, 'elsewhere'))
      await symlink(join(dir, 'elsewhere'), join(dir, '.vid'))
    },
  ],
  [
    'that is a folder',
    async (dir) => {
      await rename(note(dir), join(dir, 'elsewhere.json'))
      await mkdir(note(dir))
    },
  ],
])('a note %s is none', async (_, change) => {
  const dir = await makeProject({})
  await writePreviewNote(dir, { port: 3002, token: TOKEN })
  await change(dir)
  expect(await findPreviewNote(dir)).toBeUndefined()
})
