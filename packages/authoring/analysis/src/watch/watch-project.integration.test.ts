import { link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { watchProject } from './watch-project.ts'

/** A watched folder with a file that nobody has read, and the names of all files that were reported to have changed. */
const watchFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-watch-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const dir = join(folder, 'project')
  await mkdir(dir)
  await writeFile(join(dir, 'notes.md'), 'notes')
  const names = new Set<string>()
  let hear = () => {}
  const watch = await watchProject(dir, {
    onChange({ files }) {
      for (const name of files) names.add(name)
      hear()
    },
    skip: () => false,
    onFailure: (reason) => names.add(reason),
  })
  onTestFinished(() => watch.close())
  const reported = (name: string) =>
    new Promise<void>((resolve) => {
      hear = () => names.has(name) && resolve()
      hear()
    })
  return { folder, dir, names, reported, watch }
}

test('a new link to a file is no change of it, a new text is one', async () => {
  const { folder, dir, names, reported } = await watchFolder()
  for (const name of ['one.txt', 'two.txt']) {
    await link(join(dir, 'notes.md'), join(folder, name))
    await writeFile(join(dir, name), name)
    await reported(name)
  }
  expect([...names].sort()).toEqual(['one.txt', 'two.txt'])
  await writeFile(join(dir, 'notes.md'), 'other notes')
  await reported('notes.md')
})

test('a check reports a file that was just written, or is gone, without waiting for the system', async () => {
  const { dir, names, watch } = await watchFolder()
  await writeFile(join(dir, 'notes.md'), 'other notes')
  await watch.check()
  expect([...names]).toEqual(['notes.md'])
  names.clear()
  await rm(join(dir, 'notes.md'))
  await watch.check()
  expect([...names]).toEqual(['notes.md'])
})
