import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../fixtures/producer.ts'
import type { Accepted } from './accepted.ts'
import { openRequestJournal } from './journal.ts'

const accepted = (requestId: string, sequence: number): Accepted => ({
  version: 1,
  requestId,
  owner: 'anyone',
  sequence,
  kind: 'render',
  body: { fps: 30 },
  projectDir: '/compositions/a',
  project: null,
  outputPath: null,
  attempts: 0,
  acceptedAt: '2026-01-01T00:00:00.000Z',
})

test('what was accepted is found again in the order of acceptance, with the end that it had', async () => {
  const folder = join(await makeFolder(), 'state')
  const journal = await openRequestJournal(folder, true)
  // Ids are no file names.
  const one = accepted('a:b..c', 10)
  const two = accepted('z', 9)
  const three = accepted('z2', 100)
  for (const request of [one, two, three]) await journal.accept(request)
  await journal.start({ ...two, attempts: 1 })
  await journal.end(three, { status: 'cancelled', endedAt: '2026-01-01T00:00:01.000Z' })
  const { kept, damaged } = await (await openRequestJournal(folder, true)).restore()
  expect(damaged).toEqual([])
  expect(kept).toEqual([
    { accepted: { ...two, attempts: 1 } },
    { accepted: one },
    { accepted: three, ending: { status: 'cancelled', endedAt: '2026-01-01T00:00:01.000Z' } },
  ])
  await journal.forget(one)
  expect(await readdir(folder)).toHaveLength(2)
})

test('a request that was killed while it was written was never accepted; one that cannot be read is left alone', async () => {
  const folder = await makeFolder({
    'new-000000000001-0123456789abcdef/request.json': '{"vers',
    '000000000002-0123456789abcdef/request.json': '{"version":2}',
  })
  const journal = await openRequestJournal(folder, true)
  await journal.accept(accepted('whole', 3))
  const { kept, damaged } = await journal.restore()
  expect([kept.map((record) => record.accepted.requestId), damaged]).toEqual([
    ['whole'],
    [join(folder, '000000000002-0123456789abcdef')],
  ])
  expect((await readdir(folder)).filter((name) => name.startsWith('new-'))).toEqual([])
})

test('a damaged end is no end: the request is rendered again', async () => {
  const folder = await makeFolder()
  const journal = await openRequestJournal(folder, true)
  const one = accepted('one', 1)
  await journal.accept(one)
  await writeFile(join(journal.folderOf(one), 'ending.json'), '{"status":"comp')
  expect((await journal.restore()).kept).toEqual([{ accepted: one }])
})

test('a request that cannot be kept is refused as a fault of the machine, and leaves nothing', async () => {
  const folder = await makeFolder()
  const journal = await openRequestJournal(folder, true)
  const one = accepted('one', 1)
  await mkdir(join(journal.folderOf(one), 'taken'), { recursive: true })
  await expect(journal.accept(one)).rejects.toMatchObject({
    code: 'VID_PRODUCER_STATE_UNUSABLE',
    fault: 'machine',
  })
  expect(await readdir(folder)).toEqual([basename(journal.folderOf(one))])
  expect(await readdir(journal.folderOf(one))).toEqual(['taken'])
})

test('without state nothing is kept', async () => {
  const folder = await makeFolder()
  const journal = await openRequestJournal(folder, false)
  await journal.accept(accepted('one', 1))
  expect((await (await openRequestJournal(folder, false)).restore()).kept).toEqual([])
  expect(await readdir(folder)).toEqual([])
})

test('an attempt begins in a folder without the files of the one before, and keeps what was accepted', async () => {
  const journal = await openRequestJournal(await makeFolder(), true)
  const one = accepted('one', 1)
  await journal.accept(one)
  const folder = journal.folderOf(one)
  await mkdir(join(folder, 'out'))
  for (const name of ['out/video.mp4', '.vid-1.new', 'outputs.zip']) await writeFile(join(folder, name), 'x')
  await journal.start({ ...one, attempts: 1 })
  expect(await readdir(folder)).toEqual(['request.json'])
})
