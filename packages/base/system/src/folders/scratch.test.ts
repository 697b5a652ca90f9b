import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { makeScratchFolder, removeAbandoned, scratchName } from './scratch.ts'

const PREFIX = 'vid-trial-'
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-scratch-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const sleeper = async (): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}
const startOf = async (pid: number) => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
/** A name of a process with this pid and start time, perhaps on another machine. */
const nameOf = (pid: number, start: string, machine?: string) => {
  const [ownMachine = '', , , random = ''] = scratchName(PREFIX).slice(PREFIX.length).split('-')
  return `${PREFIX}${machine ?? ownMachine}-${pid}-${start}-${random}`
}
const makeNamed = async (name: string) => {
  await mkdir(join(folder, name, 'deep'), { recursive: true })
  await writeFile(join(folder, name, 'deep/file'), 'x')
}

test('what a killed process left is removed, and what a living one owns stays', async () => {
  const ownFolder = await makeScratchFolder(folder, PREFIX)
  const [killed, living] = await Promise.all([sleeper(), sleeper()])
  const names = await Promise.all([killed, living].map(async ({ pid = 0 }) => nameOf(pid, await startOf(pid))))
  for (const name of names) await makeNamed(name)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  await removeAbandoned(folder, PREFIX)
  expect((await readdir(folder)).sort()).toEqual([ownFolder.slice(folder.length + 1), names[1]].sort())
})

test('a pid that another process has got meanwhile keeps nothing', async () => {
  const { pid = 0 } = await sleeper()
  await makeNamed(nameOf(pid, String(Number(await startOf(pid)) - 1)))
  await removeAbandoned(folder, PREFIX)
  expect(await readdir(folder)).toEqual([])
})

test('what belongs to another machine or container stays for a day after its last change', async () => {
  const young = nameOf(1, '1', '0123456789ab')
  const old = nameOf(2, '1', 'ba9876543210')
  const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000)
  for (const name of [young, old]) await makeNamed(name)
  for (const path of [join(old, 'deep'), old, young]) await utimes(join(folder, path), twoDaysAgo, twoDaysAgo)
  await removeAbandoned(folder, PREFIX)
  expect(await readdir(folder)).toEqual([young])
})

test('a link is removed and not followed, and other names are left alone', async () => {
  await mkdir(join(folder, 'mine'))
  await writeFile(join(folder, 'mine/file'), 'x')
  await symlink(join(folder, 'mine'), join(folder, nameOf(2 ** 30, '1')))
  const others = [`${PREFIX}report`, `${PREFIX}0123456789ab-1-1-0123456789ab-more`, 'vid-other-1']
  for (const name of others) await makeNamed(name)
  await removeAbandoned(folder, PREFIX)
  expect((await readdir(folder)).sort()).toEqual(['mine', ...others].sort())
  expect(await readdir(join(folder, 'mine'))).toEqual(['file'])
  await removeAbandoned(join(folder, 'missing'), PREFIX)
})

test.runIf(process.getuid?.() === 0)(
  'root removes what another user left with the rights of that user alone',
  async () => {
    const abandoned = nameOf(2 ** 30, '1')
    const shared = 'shared'
    await makeNamed(abandoned)
    await mkdir(join(folder, shared), { mode: 0o777 })
    await writeFile(join(folder, shared, 'of-root'), 'x')
    await mkdir(join(folder, abandoned, 'of-root'), { mode: 0o700 })
    await writeFile(join(folder, abandoned, 'of-root/file'), 'x')
    const uid = 12_345
    for (const path of ['', abandoned, join(abandoned, 'deep'), join(abandoned, 'deep/file')])
      await chown(join(folder, path), uid, uid)
    await removeAbandoned(folder, PREFIX)
    expect(await readdir(join(folder, abandoned, 'of-root'))).toEqual(['file'])
    await rm(join(folder, abandoned, 'of-root'), { recursive: true })
    await removeAbandoned(folder, PREFIX)
    await expect(lstat(join(folder, abandoned))).rejects.toThrow('ENOENT')
  },
)
