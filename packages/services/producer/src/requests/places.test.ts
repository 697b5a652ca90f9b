import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../fixtures/producer.ts'
import { findOutputPath, findProjectDir } from './places.ts'

/** Where the server would keep what clients send; somewhere else than the roots of these tests. */
const serverFolder = process.cwd()

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'found',
    ({ code }: { code?: string }) => code,
  )

test('a project is found below the root, by a relative or an absolute path, with its links resolved', async () => {
  const root = await realpath(await makeFolder({ 'a/b/index.html': '' }))
  await symlink(join(root, 'a'), join(root, 'link'))
  expect(await findProjectDir({ root, serverFolder }, 'a/b')).toBe(join(root, 'a/b'))
  expect(await findProjectDir({ root, serverFolder }, join(root, 'a/b'))).toBe(join(root, 'a/b'))
  expect(await findProjectDir({ root, serverFolder }, 'link/b')).toBe(join(root, 'a/b'))
  expect(await findProjectDir({ root, serverFolder }, '.')).toBe(root)
})

test('what leaves the root is refused before it is looked for: the answer does not tell what exists', async () => {
  const root = await makeFolder({ 'a/index.html': '', '.secret/index.html': '' })
  const other = await makeFolder({ 'index.html': '' })
  await symlink(other, join(root, 'out'))
  for (const path of ['..', '../x', other, '/', '/nowhere', 'a/../..', '.secret', 'out', 'a\0b', `${root}x`])
    expect([path, await codeOf(findProjectDir({ root, serverFolder }, path))]).toEqual([path, 'VID_PRODUCER_OUTSIDE'])
})

test('a folder that is not there, and a file, are missing', async () => {
  const root = await makeFolder({ 'a/index.html': '' })
  for (const path of ['b', 'a/index.html', 'a/index.html/c'])
    expect([path, await codeOf(findProjectDir({ root, serverFolder }, path))]).toEqual([path, 'VID_PRODUCER_MISSING'])
})

test('an output is put below its folder, through no link that leaves it, hidden folder or folder itself', async () => {
  const folder = await realpath(await makeFolder())
  const root = join(folder, 'renders')
  await mkdir(root)
  await mkdir(join(folder, 'elsewhere'))
  await symlink(join(folder, 'elsewhere'), join(root, 'out'))
  await writeFile(join(folder, 'vid.config.ts'), '')
  expect(await findOutputPath({ root, serverFolder }, 'new/deep/a.mp4')).toBe(join(root, 'new/deep/a.mp4'))
  expect(await findOutputPath({ root, serverFolder }, join(root, 'a.mp4'))).toBe(join(root, 'a.mp4'))
  for (const path of ['../vid.config.ts', '.', '', 'out/a.mp4', '.hidden/a.mp4', '.a.mp4', '/etc/a.mp4', 'a\0.mp4'])
    expect([path, await codeOf(findOutputPath({ root, serverFolder }, path))]).toEqual([path, 'VID_PRODUCER_OUTSIDE'])
})
