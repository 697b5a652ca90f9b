import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockManifest } from './manifest-lock.ts'

const scratch = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-lock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return { folder, manifest: join(folder, 'renders/manifest.json') }
}
const refused = (holder: string) => ({
  code: 'VID_BATCH_RUNNING',
  message: expect.stringContaining(`Another batch, ${holder}, is writing`),
})
/** Writes a lock as another process would have left it, last updated `seconds` ago. */
const leave = async (manifest: string, text: string, seconds: number) => {
  await mkdir(join(manifest, '..'), { recursive: true })
  await writeFile(`${manifest}.lock`, text)
  const time = new Date(Date.now() - seconds * 1000)
  await utimes(`${manifest}.lock`, time, time)
}

test('one process locks a manifest until it unlocks it', async () => {
  const { folder, manifest } = await scratch()
  const unlock = await lockManifest(manifest)
  await expect(lockManifest(manifest)).rejects.toMatchObject(refused(`process ${process.pid} on ${hostname()}`))
  await unlock()
  await (await lockManifest(manifest))()
  expect(await readdir(join(folder, 'renders'))).toEqual([])
})

test('of several processes at once, one gets the lock', async () => {
  const { manifest } = await scratch()
  await leave(manifest, JSON.stringify({ pid: 2 ** 30, host: hostname(), begun: null }), 0)
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => lockManifest(manifest)))
  const got = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect(got).toHaveLength(1)
  await got[0]?.()
})

test('the lock of an ended process is free, also when its pid belongs to another process now', async () => {
  for (const [pid, begun] of [
    [2 ** 30, null],
    [process.pid, '1'],
  ]) {
    const { folder, manifest } = await scratch()
    await leave(manifest, JSON.stringify({ pid, host: hostname(), begun }), 0)
    await (await lockManifest(manifest))()
    expect(await readdir(join(folder, 'renders'))).toEqual([])
  }
})

test.each([
  ['another computer', JSON.stringify({ pid: 1, host: 'elsewhere', begun: null }), 'process 1 on elsewhere'],
  ['a process that is still writing its name', '', 'a process that has just begun'],
])('%s holds it for as long as it is heard of', async (_, text, holder) => {
  const { manifest } = await scratch()
  await leave(manifest, text, 20)
  await expect(lockManifest(manifest)).rejects.toMatchObject(refused(holder))
  await leave(manifest, text, 90)
  await (await lockManifest(manifest))()
})

test('a process whose lock was taken over does not remove the lock of its new holder', async () => {
  const { manifest } = await scratch()
  const unlock = await lockManifest(manifest)
  await writeFile(`${manifest}.lock`, 'another')
  await unlock()
  expect(await readFile(`${manifest}.lock`, 'utf8')).toBe('another')
})

test('a path that cannot be written to is named in the error', async () => {
  const { folder, manifest } = await scratch()
  await writeFile(join(folder, 'renders'), 'a file')
  await expect(lockManifest(manifest)).rejects.toMatchObject({
    code: 'VID_MANIFEST_UNWRITABLE',
    message: expect.stringContaining(manifest),
  })
})
