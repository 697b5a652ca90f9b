import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noSources } from '@vid/kernel'
import { listBlobs, storeSuite } from '@vid/testkit'
import { afterAll, expect, test } from 'vitest'
import { makeFolder, openWork, page } from '../fixtures/work.ts'
import { openFolderStorage } from '../storage/folder-storage.ts'
import { createSignedFiles } from '../storage/signed-files.ts'
import { segmentStores } from './segment-store.ts'

const folder = await mkdtemp(join(tmpdir(), 'cloud-segments-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const storage = await openFolderStorage(
  folder,
  createSignedFiles('secret', () => 'http://here'),
)
let accounts = 0
storeSuite((options: object) => {
  accounts += 1
  return segmentStores(storage)({ account: `user_${accounts}`, ...options })
})

test('accounts see only their own segments', async () => {
  const workDir = await makeFolder()
  const open = (account: string) =>
    segmentStores(storage)({ account }).open({
      options: { account },
      projectDir: workDir,
      workDir,
      sources: noSources,
      warn: () => {},
      signal: new AbortController().signal,
    })
  const one = await open('user_one')
  const other = await open('user_other')
  const file = join(workDir, 'file')
  await writeFile(file, 'mine')
  await one.put('contents/abc', file)
  expect([(await listBlobs(one, '')).length, (await listBlobs(other, '')).length]).toEqual([1, 0])
  expect(await other.read('contents/abc')).toBe(undefined)
})

test('a render of an account takes the segments of an earlier one, wherever that was rendered', async () => {
  process.env.VID_CACHE = 'on'
  try {
    const { parts, submit, work, end } = await openWork({ 'index.html': page(12) })
    const first = await work({ slots: 1, spreadSegments: 0 })
    const one = await end(await submit())
    await first.close()
    const again: string[] = []
    const { renderer } = parts
    const watched = {
      ...renderer,
      async renderSegment(...call: Parameters<typeof renderer.renderSegment>) {
        const rendered = await renderer.renderSegment(...call)
        again.push(rendered.reused ?? 'rendered')
        return rendered
      },
    }
    await work({ slots: 1, spreadSegments: 0, renderer: watched })
    const two = await end(await submit({}, one.account_id))
    expect(again).toEqual(Array(3).fill('the same inputs'))
    expect(two.video_sha256).toBe(one.video_sha256)
    const third = await end(await submit({}))
    expect(again.slice(3)).toEqual(Array(3).fill('rendered'))
    expect(third.video_sha256).toBe(one.video_sha256)
  } finally {
    process.env.VID_CACHE = 'off'
  }
})
