import { createHash } from 'node:crypto'
import { appendFileSync, chmodSync, readFileSync, symlinkSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeOf, newFolder, until, writeFiles } from './fixtures/folders.ts'
import { readManifest } from './index.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const files = { 'index.html': '<p>', 'a/run!': '#!', 'a/b.css': '' }

test('a manifest has path, mode, length and digest of each file, and the digest of its canonical text', async () => {
  const folder = writeFiles(newFolder(), files)
  const manifest = await readManifest(folder)
  expect(manifest.files).toEqual([
    { path: 'a/b.css', mode: '0644', length: 0, digest: sha256('') },
    { path: 'a/run', mode: '0755', length: 2, digest: sha256('#!') },
    { path: 'index.html', mode: '0644', length: 3, digest: sha256('<p>') },
  ])
  const lines = manifest.files.map(({ path, mode, length, digest }) => `${mode} ${length} ${digest} ${path}\n`)
  expect(manifest.digest).toBe(sha256(`vid-project 1\n${lines.join('')}`))
})

test('the digest says what is in the files, and nothing of times, other rights and links', async () => {
  const one = writeFiles(newFolder(), files)
  const two = writeFiles(newFolder(), { ...files, 'a/.hidden': 'x' })
  utimesSync(join(two, 'index.html'), 1, 1)
  chmodSync(join(two, 'index.html'), 0o600)
  chmodSync(join(two, 'a/run'), 0o700)
  const { digest } = await readManifest(one)
  expect((await readManifest(two)).digest).toBe(digest)
  symlinkSync('index.html', join(one, 'linked.html'))
  writeFiles(two, { 'linked.html': '<p>' })
  const linked = await readManifest(one)
  expect((await readManifest(two)).digest).toBe(linked.digest)
  expect(linked.digest).not.toBe(digest)
  chmodSync(join(two, 'a/run'), 0o600)
  expect((await readManifest(two)).digest).not.toBe(linked.digest)
})

/** Waits until this process has read some megabytes more than now. */
const someIsRead = () => {
  const read = () => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
  const start = read()
  return until(() => read() > start + 20_000_000)
}

test.each([
  ['longer', (file: string) => appendFileSync(file, 'x')],
  ['shorter', (file: string) => truncateSync(file, 5)],
  ['newer', (file: string) => utimesSync(file, 1, 1)],
])('a file that gets %s while it is read is an error', async (_, change) => {
  const folder = writeFiles(newFolder(), { 'big.bin': '' })
  const file = join(folder, 'big.bin')
  // Long enough that the change comes before its end.
  truncateSync(file, 300_000_000)
  const reading = codeOf(readManifest(folder))
  await someIsRead()
  change(file)
  expect(await reading).toBe('VID_PROJECT_CHANGED')
})

test('files that are too large, one or together, are refused by the limits', async () => {
  const folder = writeFiles(newFolder(), { 'a.bin': Buffer.alloc(600), 'b.bin': Buffer.alloc(600) })
  expect(await codeOf(readManifest(folder, { limits: { fileBytes: 599 } }))).toBe('VID_PROJECT_TOO_LARGE')
  expect(await codeOf(readManifest(folder, { limits: { bytes: 1199 } }))).toBe('VID_PROJECT_TOO_LARGE')
  expect((await readManifest(folder, { limits: { fileBytes: 600, bytes: 1200 } })).files).toHaveLength(2)
})

test('an aborted signal ends the reading with its reason', async () => {
  const folder = writeFiles(newFolder(), { 'big.bin': '' })
  truncateSync(join(folder, 'big.bin'), 300_000_000)
  const control = new AbortController()
  const reading = readManifest(folder, { signal: control.signal })
  const reason = new Error('stopped')
  void someIsRead().then(() => control.abort(reason))
  await expect(reading).rejects.toBe(reason)
})
