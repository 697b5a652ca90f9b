import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { allIn, codeOf, isOpen, newFolder, until, writeFiles } from './fixtures/folders.ts'
import { createRandom } from './fixtures/random.ts'
import { packProject, readManifest, unpackProject, writeProjectZip } from './index.ts'

const files = {
  'index.html': '<p>hello</p>'.repeat(1000),
  'media/clip.mp4': Buffer.alloc(200_000, 'not to be deflated'),
  'run!': '#!/bin/sh\n',
  'empty.txt': '',
  'gr\u00fc\u00dfe/\u{1f600}.svg': '<svg/>',
}

const zipOf = async (folder: string) => {
  const file = join(newFolder(), 'project.zip')
  const zipFacts = await writeProjectZip(folder, await readManifest(folder), file)
  return { ...zipFacts, file, content: readFileSync(file) }
}

test('equal folders give equal bytes, whatever their times, rights and order of writing', async () => {
  const one = writeFiles(newFolder(), files)
  const two = writeFiles(newFolder(), Object.fromEntries(Object.entries(files).reverse()))
  writeFiles(two, { '.git/HEAD': 'x', 'node_modules/x.js': 'x' })
  utimesSync(join(two, 'index.html'), 1, 1)
  chmodSync(join(two, 'index.html'), 0o640)
  const a = await zipOf(one)
  const b = await zipOf(two)
  expect(b.content.equals(a.content)).toBe(true)
  expect(a.bytes).toBe(a.content.length)
  expect(b.digest).toBe(a.digest)
  // The video is stored, the page is deflated.
  expect(a.content.includes('not to be deflated')).toBe(true)
  expect(a.content.includes('<p>hello</p><p>hello</p>')).toBe(false)
})

test('a process in another time zone, with another umask and language, makes the same bytes', async () => {
  const folder = writeFiles(newFolder(), files)
  const { digest } = await zipOf(folder)
  const program = `
    import { readManifest, writeProjectZip } from ${JSON.stringify(fileURLToPath(new URL('../dist/index.js', import.meta.url)))}
    process.umask(0o077)
    const { digest } = await writeProjectZip(process.argv[1], await readManifest(process.argv[1]), process.argv[2])
    console.log(digest)`
  for (const zone of ['Pacific/Kiritimati', 'America/St_Johns', 'Africa/Monrovia']) {
    const file = join(newFolder(), 'project.zip')
    const env = { ...process.env, TZ: zone, LC_ALL: 'tr_TR.UTF-8', NODE_OPTIONS: '' }
    const words = ['--input-type=module', '-e', program, folder, file]
    expect(execFileSync(process.execPath, words, { env, encoding: 'utf8' }).trim()).toBe(digest)
  }
})

test('a zip unpacks to the same manifest, also when all files lie in one folder', async () => {
  for (const content of [
    files,
    { 'only/index.html': 'x', 'only/a/b.js': 'y' },
    {},
    { 'dist/a.js': '', '.vidignore': '!dist' },
  ]) {
    const folder = writeFiles(newFolder(), content)
    const manifest = await readManifest(folder)
    const { file } = await zipOf(folder)
    const place = join(newFolder(), 'unpacked')
    expect(await unpackProject(file, place)).toEqual(manifest)
    for (const { path } of manifest.files)
      expect(readFileSync(join(place, path)).equals(readFileSync(join(folder, path)))).toBe(true)
  }
})

test('whatever files a folder has, its zip unpacks to the same manifest and bytes', async () => {
  const letters = [
    'a',
    'b',
    'Z',
    ' ',
    '-',
    '_',
    '%',
    '#',
    '\u00e9',
    'e\u0301',
    '\u00df',
    '\uff5e',
    '\u{1f600}',
    '$',
    "'",
    '(',
    '~',
  ] as const
  const endings = ['.html', '.mp4', '.PNG', '.js', '', '.tar.gz!'] as const
  for (let seed = 0; seed < 40; seed += 1) {
    const random = createRandom(seed)
    // Numbered, since names that differ only by case are refused.
    const part = (index: number) => `${random.pick(letters)}${random.pick(letters)}${random.pick(letters)}${index}`
    const path = (index: number) =>
      [...Array.from({ length: random.below(4) }, (_, level) => part(index * 10 + level)), part(index * 10 + 9)].join(
        '/',
      )
    const content = () => random.pick([random.bytes(random.below(3000)), Buffer.alloc(random.below(300_000), 'x')])
    const entries = Array.from({ length: random.below(20) }, (_, index) => [
      path(index) + random.pick(endings),
      content(),
    ])
    const folder = writeFiles(newFolder(), Object.fromEntries(entries) as Record<string, Buffer>)
    const manifest = await readManifest(folder)
    expect(manifest.files).toHaveLength(entries.length)
    const place = join(newFolder(), 'unpacked')
    expect(await unpackProject((await zipOf(folder)).file, place)).toEqual(manifest)
    expect(await readManifest(place)).toEqual(manifest)
  }
})

test('a file that is no longer that of the manifest ends the zip with an error, and nothing is left', async () => {
  const changes = [
    (folder: string) => appendFileSync(join(folder, 'index.html'), 'x'),
    (folder: string) => truncateSync(join(folder, 'index.html'), 1),
    (folder: string) => writeFileSync(join(folder, 'index.html'), '<p>HELLO</p>'.repeat(1000)),
    (folder: string) => rmSync(join(folder, 'index.html')),
  ]
  for (const change of changes) {
    const folder = writeFiles(newFolder(), files)
    const manifest = await readManifest(folder)
    change(folder)
    const out = newFolder()
    expect(await codeOf(writeProjectZip(folder, manifest, join(out, 'x.zip')))).toBe('VID_PROJECT_CHANGED')
    expect(allIn(out)).toEqual([])
  }
})

test('a place that cannot be written is a fault of the machine, and a file that is there stays', async () => {
  const folder = writeFiles(newFolder(), files)
  const manifest = await readManifest(folder)
  const out = writeFiles(newFolder(), { 'x.zip': 'mine' })
  for (const file of [join(out, 'x.zip'), join(out, 'missing/x.zip'), '/dev/full'])
    expect(await codeOf(writeProjectZip(folder, manifest, file))).toBe('VID_PROJECT_UNWRITABLE')
  expect(readFileSync(join(out, 'x.zip'), 'utf8')).toBe('mine')
})

test('an abort, and a reader that leaves, end the zip and close its files', async () => {
  const folder = writeFiles(newFolder(), { 'big.mp4': '', 'index.html': 'x' })
  truncateSync(join(folder, 'big.mp4'), 100_000_000)
  const manifest = await readManifest(folder)
  const control = new AbortController()
  const aborted = await packProject(folder, manifest, { signal: control.signal })
  const reason = new Error('stopped')
  aborted.once('data', () => control.abort(reason))
  await expect(new Promise((_, reject) => aborted.once('error', reject))).rejects.toBe(reason)
  const stream = await packProject(folder, manifest)
  await new Promise((resolve) => stream.once('data', resolve))
  stream.destroy()
  const out = newFolder()
  const writing = writeProjectZip(folder, manifest, join(out, 'x.zip'), { signal: AbortSignal.abort(reason) })
  await expect(writing).rejects.toBe(reason)
  for (const ticks of [0, 1, 2, 3]) {
    const stop = new AbortController()
    const stopped = writeProjectZip(folder, manifest, join(out, `${ticks}.zip`), { signal: stop.signal })
    const rejected = expect(stopped).rejects.toBe(reason)
    for (let tick = 0; tick < ticks; tick++) await new Promise(setImmediate)
    stop.abort(reason)
    await rejected
  }
  expect(allIn(out)).toEqual([])
  await until(() => !isOpen(join(folder, 'big.mp4')))
})
