import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectWhole, files, kill, stateOf } from '../fixtures/killed-writes.ts'
import { makeProject, textAt } from '../fixtures/project.ts'
import { openEdit } from '../index.ts'

test('a write of four files that is killed at every third step leaves the old files or the new ones', async () => {
  await expectWhole(3)
})

test('a killed write is taken back where another program has changed one of its files since', async () => {
  const folder = await makeProject(files)
  let step = 0
  while (new Set(await stateOf(folder)).size === 1) {
    await rm(join(folder, '.vid'), { recursive: true, force: true })
    expect(kill(folder, step), `step ${step}`).toBe(true)
    step += 1
  }
  const other = files['b.html'].replace('old', 'old</p><p>mine')
  await writeFile(join(folder, 'b.html'), other)
  await openEdit(folder)
  expect(await textAt(folder, 'b.html')).toBe(other)
  expect(new Set(await stateOf(folder))).toEqual(new Set(['old']))
})
