import { chmod, chown, lchown, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { distrust, distrustNamed } from './trust.ts'

const isRoot = process.getuid?.() === 0
const STRANGER = 54_321

/** `folder/project/file`, and what changes who may write to them. */
const makeProject = async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'vid-trust-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const project = join(folder, 'project')
  await mkdir(project, { mode: 0o755 })
  const file = join(project, 'file')
  await writeFile(file, '', { mode: 0o644 })
  return { folder, project, file }
}

test('a file of this user in a folder of this user is trusted, also below the shared folder for temporary files', async () => {
  const { file, project } = await makeProject()
  expect(await distrust(file)).toBeUndefined()
  await chmod(project, 0o1777)
  expect(await distrust(file)).toBeUndefined()
})

test('a file or folder above it that every user may write to is not trusted', async () => {
  const { file, project, folder } = await makeProject()
  await chmod(file, 0o646)
  expect(await distrust(file)).toBe(`every user may write to ${file}`)
  await chmod(file, 0o644)
  await chmod(folder, 0o777)
  expect(await distrust(file)).toBe(`every user may write to ${folder}`)
  await chmod(folder, 0o755)
  expect(await distrust(project)).toBeUndefined()
})

test.runIf(isRoot)('a file, folder or link of another user is not trusted, unless that user is', async () => {
  const { file, project, folder } = await makeProject()
  await chown(project, STRANGER, STRANGER)
  expect(await distrust(file)).toBe(`user ${STRANGER} owns ${project}`)
  expect(await distrust(file, { owners: [STRANGER] })).toBeUndefined()
  const link = join(folder, 'link')
  const { file: ownFile } = await makeProject()
  await symlink(ownFile, link)
  expect(await distrust(link)).toBeUndefined()
  await lchown(link, STRANGER, STRANGER)
  expect(await distrust(link)).toBe(`user ${STRANGER} owns ${link}`)
})

test.runIf(isRoot)('a group of one user may write, a group of several may not', async () => {
  const { file } = await makeProject()
  await chmod(file, 0o664)
  expect(await distrust(file)).toBeUndefined()
  await chown(file, 0, STRANGER)
  expect(await distrust(file)).toBe(`every user of group ${STRANGER} may write to ${file}`)
})

test.runIf(isRoot)(
  'in a folder that the user has named, files are trusted that its owner, this user or root owns',
  async () => {
    const { file, project } = await makeProject()
    await chmod(project, 0o777)
    await chmod(file, 0o666)
    expect(await distrustNamed(file)).toBeUndefined()
    await chown(file, STRANGER, STRANGER)
    expect(await distrustNamed(file)).toBe(`user ${STRANGER} owns ${file}`)
    await chown(project, STRANGER, STRANGER)
    expect(await distrustNamed(file)).toBeUndefined()
  },
)
