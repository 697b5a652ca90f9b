import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { longTest } from '../../../../../scripts/dev/part-of.ts'
import { prepareDatabase } from '../../../../services/cloud/src/fixtures/database-template.ts'
import type { Finished } from '../fixtures/host.ts'
import { eventsOf, makeFolder, vid } from '../fixtures/project.ts'

const run = (folder: string, line: string): Promise<Finished> => vid(folder, 'cloud', ...line.split(' '))

/** Creates a folder in which a server has an account. */
const createServer = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-cloud-backup-'))
  await prepareDatabase(join(folder, 'server/database'))
  const created = await run(folder, 'accounts create --name Team --state server --json')
  expect(created.stderr).toBe('')
  const [event] = eventsOf(created.stdout)
  const { id } = (event as unknown as { account: { id: string } }).account
  return { folder, id }
}
let server: ReturnType<typeof createServer> | undefined
afterAll(async () => {
  if (server) await rm((await server).folder, { recursive: true, force: true })
})

/** A copy of a folder in which a server has an account. */
const serverFolder = async () => {
  server ??= createServer()
  const { folder: original, id } = await server
  const folder = await makeFolder({})
  // It has a thousand files.
  await promisify(execFile)('cp', ['-r', join(original, 'server'), folder])
  return { folder, id }
}

longTest(
  'a state folder is backed up, and restored to another one that has its accounts',
  async () => {
    const { folder, id } = await serverFolder()
    const backup = await run(folder, 'backup saved --state server')
    expect([backup.code, backup.stderr]).toEqual([0, ''])
    expect(backup.stdout).toMatch(/^backed up to the folder \S*saved: the database and 0 files, 0 bytes\n$/)
    expect((await readdir(join(folder, 'saved'))).sort()).toEqual(['backup.json', 'database'])
    await rm(join(folder, 'server'), { recursive: true })

    const restored = await run(folder, 'restore saved --state other')
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    expect(restored.stdout).toMatch(/^restored the backup of 20\S+Z: the database and 0 files\n$/)
    expect((await run(folder, 'accounts list --state other')).stdout).toContain(id)

    const again = await run(folder, 'restore saved --state other --json')
    expect(again.code).toBe(2)
    expect(eventsOf(again.stdout)).toMatchObject([{ type: 'cloud-error', error: { code: 'VID_CLOUD_RESTORE_PLACE' } }])
  },
  120_000,
)

test('with --json a backup and its restore are one event each', async () => {
  const { folder } = await serverFolder()
  const backup = await run(folder, 'backup saved --state server --json')
  expect(backup.code).toBe(0)
  expect(eventsOf(backup.stdout)).toEqual([
    {
      type: 'cloud-backup',
      place: expect.stringContaining('saved'),
      createdAt: expect.any(String),
      files: 0,
      bytes: 0,
      missing: [],
    },
  ])
  await prepareDatabase(join(folder, 'other/database'))
  const { createdAt } = JSON.parse(await readFile(join(folder, 'saved/backup.json'), 'utf8'))
  const restored = await run(folder, 'restore saved --state other --json')
  expect(eventsOf(restored.stdout)).toEqual([{ type: 'cloud-restore', createdAt, files: 0, bytes: 0 }])
}, 120_000)

test('a folder that is in use is no place for a backup, and keeps what it has', async () => {
  const { folder } = await serverFolder()
  await mkdir(join(folder, 'saved'))
  await writeFile(join(folder, 'saved/notes.txt'), 'mine')
  const { code, stdout, stderr } = await run(folder, 'backup saved --state server')
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/error VID_CLOUD_BACKUP_PLACE: .*notes\.txt/)
  expect(await readdir(join(folder, 'saved'))).toEqual(['notes.txt'])
}, 120_000)

test('a server or a backup that is not there is an error, and nothing is made', async () => {
  const folder = await makeFolder({})
  const before = await readdir(folder)
  const cases = [
    ['backup saved --state nowhere', 'VID_CLOUD_STATE_MISSING'],
    ['restore nowhere --state other', 'VID_CLOUD_BACKUP_INVALID'],
  ] as const
  for (const [line, code] of cases) {
    const ended = await run(folder, line)
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([2, '', expect.stringContaining(`error ${code}: `)])
    expect(await readdir(folder)).toEqual(before)
  }
}, 60_000)

test('wrong flags and words are errors that name the command', async () => {
  const folder = await makeFolder({})
  const cases = [
    ['backup', 'VID_USAGE: "vid cloud backup" was called wrongly: '],
    ['restore', 'VID_USAGE: "vid cloud restore" was called wrongly: '],
    ['backup one two', 'VID_USAGE: "vid cloud backup" was called wrongly: '],
    ['backup saved --stat server', '"vid cloud backup" has no flag --stat'],
    ['restore saved --force', '"vid cloud restore" has no flag --force'],
  ] as const
  for (const [line, text] of cases) {
    const { code, stdout, stderr } = await run(folder, line)
    expect([line, code, stdout, stderr]).toEqual([line, 2, '', expect.stringContaining(text)])
  }
}, 60_000)
