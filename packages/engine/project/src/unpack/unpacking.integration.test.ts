import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { allIn, codeOf, newFolder, until, writeFiles } from '../fixtures/folders.ts'
import { type RawEnd, type RawEntry, rawZip, unixMode } from '../fixtures/raw-zip.ts'
import { type ProjectOptions, unpackProject } from '../index.ts'

const html = { name: 'index.html', data: Buffer.from('<p>hello</p>'.repeat(100)) }

/** Unpacks a zip; returns the paths of the manifest, or the code of the error, which must leave nothing. */
const unpack = async (entries: readonly RawEntry[] | Buffer, end?: RawEnd, options?: ProjectOptions) => {
  const folder = newFolder()
  const zip = join(folder, 'x.zip')
  const parent = join(folder, 'parent')
  writeFileSync(zip, Buffer.isBuffer(entries) ? entries : rawZip(entries, end))
  mkdirSync(parent)
  const result = await unpackProject(zip, join(parent, 'place'), options).then(
    ({ files }) => files.map(({ path }) => path),
    (thrown: { readonly code?: string }) => thrown.code ?? thrown,
  )
  if (!Array.isArray(result)) expect(allIn(folder)).toEqual(['parent', 'x.zip'])
  return result
}

test('files, their contents and their modes are unpacked, as the manifest says', async () => {
  const folder = newFolder()
  const entries = [
    { ...html, isStreamed: true },
    { name: 'a/', method: 0, attributes: unixMode(0o040755) },
    { name: 'a/run', data: Buffer.from('#!'), method: 0, attributes: unixMode(0o100777) },
    { name: './b/c.txt' },
  ]
  writeFileSync(join(folder, 'x.zip'), rawZip(entries))
  const manifest = await unpackProject(join(folder, 'x.zip'), join(folder, 'place'))
  expect(manifest.files.map(({ path, mode, length }) => [path, mode, length])).toEqual([
    ['a/run', '0755', 2],
    ['b/c.txt', '0644', 0],
    ['index.html', '0644', 1200],
  ])
  expect(readFileSync(join(folder, 'place/index.html')).equals(html.data)).toBe(true)
  expect(statSync(join(folder, 'place/a/run')).mode & 0o111).toBe(0o111 & ~process.umask())
  expect(allIn(folder)).toEqual([
    'place',
    'place/a',
    'place/a/run',
    'place/b',
    'place/b/c.txt',
    'place/index.html',
    'x.zip',
  ])
})

test.each([
  '/etc/x',
  '../x',
  'a/../../x',
  'a/..',
  'C:/x',
  'c:x',
  'a\\b',
  '..\\x',
  'a\0b',
  '\\\\host\\x',
  'a//b',
  'a/./b',
  'a/b\nc',
  'a/\u007f',
  'a\u0085',
  'nul',
  'a/COM1.txt',
  'aux.css',
  'a./b',
  'a /b',
  'x'.repeat(256),
  'long/'.repeat(206),
  '/',
  '//x',
  '.git/../../x',
  Buffer.from([0x61, 0xff, 0xfe]),
  Buffer.from([0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x78]),
  '../',
  'a/../',
])('an entry named %j is refused by its name', async (name) => {
  expect(await unpack([html, { name }])).toBe('VID_ZIP_NAME')
})

test.each([
  [['a.txt', 'a.txt']],
  [['a.txt', 'A.TXT']],
  [['caf\u00e9', 'cafe\u0301']],
  [['a', 'a/b']],
  [['a/b', 'a']],
  [['a/x', 'A/y']],
  [['STRASSE', 'stra\u00dfe']],
  [['./a', 'a']],
])('entries %j are refused, since they are one file on some systems', async (names) => {
  expect(await unpack(names.map((name) => ({ name })))).toBe('VID_ZIP_COLLISION')
})

test.each([
  ['a link', 0o120777],
  ['a pipe', 0o010644],
  ['a device', 0o060644],
  ['a socket', 0o140644],
])('%s in a zip is refused', async (_, mode) => {
  const data = Buffer.from('/etc/passwd')
  expect(await unpack([html, { name: 'x', data, attributes: unixMode(mode) }])).toBe('VID_ZIP_KIND')
})

test('encrypted entries, other methods, wrong sums and wrong sizes are refused', async () => {
  const data = Buffer.from('x'.repeat(1000))
  const packed = deflateRawSync(data)
  expect(await unpack([{ name: 'x', data, flags: 0x801 }])).toBe('VID_ZIP_ENCRYPTED')
  expect(await unpack([{ name: 'x', data, method: 12, packed: data }])).toBe('VID_ZIP_METHOD')
  expect(await unpack([{ name: 'x', data, crc: 1 }])).toBe('VID_ZIP_DAMAGED')
  expect(await unpack([{ name: 'x', data, method: 0, crc: 1 }])).toBe('VID_ZIP_DAMAGED')
  expect(await unpack([{ name: 'x', data, bytes: 999 }])).toBe('VID_ZIP_DAMAGED')
  expect(await unpack([{ name: 'x', data, bytes: 1001 }])).toBe('VID_ZIP_DAMAGED')
  expect(await unpack([{ name: 'x', data, packed: packed.subarray(0, -3) }])).toBe('VID_ZIP_DAMAGED')
  expect(await unpack([{ name: 'x', data, packed: Buffer.concat([packed, data]) }])).toBe('VID_ZIP_DAMAGED')
  expect(await unpack([{ name: 'x', data, packed: Buffer.concat([packed, Buffer.alloc(500_000)]) }])).toBe(
    'VID_ZIP_DAMAGED',
  )
  expect(await unpack([{ name: 'x', data, packed: Buffer.alloc(50, 0xff) }])).toBe('VID_ZIP_DAMAGED')
  expect(await unpack([{ name: 'x/', data }])).toBe('VID_ZIP_DAMAGED')
  expect(await unpack([{ name: 'x', data, method: 0, bytes: 2000 }])).toBe('VID_ZIP_INVALID')
})

test.each<[string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('hello')],
  ['a zip that was cut', rawZip([html]).subarray(0, -10)],
  ['a zip with bytes after its end', Buffer.concat([rawZip([html]), Buffer.from('x')])],
  ['a zip with bytes before its beginning', Buffer.concat([Buffer.from('#!/bin/sh\n'), rawZip([html])])],
  ['a list beyond the end', rawZip([html], { directoryOffset: 0x7fffffff })],
  ['more entries than there are', rawZip([html], { entryCount: 2 })],
  ['an entry beyond the end', rawZip([{ ...html, offset: 0xfffffff0 }])],
  ['an entry inside another', rawZip([html, { name: 'x', offset: 5 }])],
  ['a Zip64 list beyond 2^53', rawZip([html], { zip64: { offset: 2n ** 60n } })],
  ['a Zip64 record beyond 2^53', rawZip([html], { zip64: { recordOffset: 2n ** 63n } })],
  [
    'a Zip64 entry beyond 2^53',
    rawZip([{ ...html, offset: 0xffffffff, extra: Buffer.from('0100080000000000000000ff', 'hex') }]),
  ],
  ['a part that is longer than the list', rawZip([{ ...html, extra: Buffer.from('0100ffff', 'hex') }])],
])('%s is refused as no zip', async (_, bytes) => {
  expect(await unpack(bytes)).toBe('VID_ZIP_INVALID')
})

test('entries that share bytes with another, or with the list of entries, are refused', async () => {
  const nested = rawZip([html])
  const inner = { name: 'inner', data: nested, method: 0 }
  const header = 30 + 'inner'.length
  // The second entry begins inside the data of the first.
  expect(await unpack([inner, { ...html, offset: header }])).toBe('VID_ZIP_OVERLAP')
  expect(await unpack([html, { ...html, name: 'copy.html', offset: 0 }])).toBe('VID_ZIP_OVERLAP')
  const lying = { ...html, method: 0, packedBytes: html.data.length + 40, bytes: html.data.length + 40 }
  expect(await unpack([lying])).toBe('VID_ZIP_OVERLAP')
})

test('limits are kept by what comes out of the zip, not by what its headers say', async () => {
  const zeros = Buffer.alloc(1_000_000)
  const bomb = { name: 'bomb', data: zeros }
  const lying = { ...bomb, bytes: 10 }
  expect(await unpack([bomb], {}, { limits: { fileBytes: 999_999 } })).toBe('VID_ZIP_FILE_BYTES')
  expect(await unpack([bomb, html], {}, { limits: { bytes: 1_000_000 } })).toBe('VID_ZIP_BYTES')
  expect(await unpack([lying], {}, { limits: { fileBytes: 999 } })).toBe('VID_ZIP_FILE_BYTES')
  expect(await unpack([lying], {}, { limits: { bytes: 999 } })).toBe('VID_ZIP_BYTES')
  expect(await unpack([lying])).toBe('VID_ZIP_DAMAGED')
  const big = { name: 'big', data: Buffer.alloc(100 * 1024 ** 2) }
  expect(await unpack([big])).toBe('VID_ZIP_RATIO')
  expect(await unpack([big], {}, { limits: { ratio: 2000 } })).toEqual(['big'])
  const many = Array.from({ length: 10 }, (_, index) => ({ name: `${index}/f` }))
  expect(await unpack(many, {}, { limits: { entries: 9 } })).toBe('VID_ZIP_ENTRIES')
  // Their folders count too.
  expect(await unpack(many, {}, { limits: { entries: 19 } })).toBe('VID_ZIP_ENTRIES')
  expect(await unpack(many, {}, { limits: { entries: 20 } })).toHaveLength(10)
  expect(await unpack([], { entryCount: 60_000 })).toBe('VID_ZIP_ENTRIES')
  expect(await unpack([{ name: 'a/b/c' }], {}, { limits: { depth: 2 } })).toBe('VID_ZIP_DEPTH')
})

test('hidden files and what systems leave behind are dropped, whatever they are', async () => {
  const dropped = ['.git/HEAD', 'a/.env', '__MACOSX/._index.html', '.DS_Store', 'a/Thumbs.db', 'Icon\r', '.a/con']
  const link = { name: '.venv/python', data: Buffer.from('/usr/bin/python'), attributes: unixMode(0o120777) }
  const packedNames = ['dist/app.js', 'node_modules/x/x.js']
  const entries = [html, link, ...[...dropped, ...packedNames].map((name) => ({ name, data: Buffer.from('x') }))]
  expect(await unpack(entries)).toEqual(['dist/app.js', 'index.html', 'node_modules/x/x.js'])
})

test('one folder that holds everything is left out of the paths', async () => {
  const folder = { name: 'my video/', method: 0 }
  const inside = [{ name: 'my video/index.html' }, { name: 'my video/a/b.js' }]
  expect(await unpack([folder, ...inside, { name: '__MACOSX/my video/._a' }])).toEqual(['a/b.js', 'index.html'])
  expect(await unpack([...inside, { name: 'read me.txt' }])).toContain('my video/index.html')
  expect(await unpack([{ name: 'a/b/x.js' }])).toEqual(['b/x.js'])
  expect(await unpack([{ name: 'ab/x' }, { name: 'abc/x' }])).toEqual(['ab/x', 'abc/x'])
})

test('names are read as other programs write them', async () => {
  const utf8 = Buffer.from('gr\u00fc\u00dfe.txt')
  expect(await unpack([{ name: utf8, flags: 0 }])).toEqual(['gr\u00fc\u00dfe.txt'])
  expect(await unpack([{ name: Buffer.from([0x67, 0x72, 0x81, 0x2e]), flags: 0 }])).toBe('VID_ZIP_NAME')
  expect(await unpack([{ name: Buffer.from([0x67, 0x72, 0x81]), flags: 0 }])).toEqual(['gr\u00fc'])
})

test.each(['info-zip.zip', 'info-zip-streamed.zip', 'python.zip', 'python-streamed.zip', 'yazl-zip64.zip'])(
  '%s, which another program has made, is unpacked',
  async (name) => {
    const bytes = readFileSync(new URL(`../fixtures/zips/${name}`, import.meta.url))
    expect(await unpack(bytes)).toEqual(['index.html', 'm\u00e9dia/clip.bin', 'run.sh'])
  },
)

test('a Zip64 list of entries is read', async () => {
  expect(await unpack([html], { zip64: {} })).toEqual(['index.html'])
})

test('the folder must not exist, and its parent must: nothing there is changed', async () => {
  const folder = writeFiles(newFolder(), { 'x.zip': rawZip([html]), 'taken/mine': 'x', file: 'y' })
  const zip = join(folder, 'x.zip')
  symlinkSync('elsewhere', join(folder, 'link'))
  for (const name of ['taken', 'file', 'link'])
    expect(await codeOf(unpackProject(zip, join(folder, name)))).toBe('VID_PROJECT_PLACE_TAKEN')
  expect(await codeOf(unpackProject(zip, join(folder, 'missing/place')))).toBe('VID_PROJECT_UNWRITABLE')
  expect(await codeOf(unpackProject(zip, '/proc/place'))).toBe('VID_PROJECT_UNWRITABLE')
  expect(await codeOf(unpackProject(join(folder, 'no.zip'), join(folder, 'place')))).toBe('VID_PROJECT_UNREADABLE')
  expect(await codeOf(unpackProject(folder, join(folder, 'place')))).toBe('VID_PROJECT_UNREADABLE')
  expect(allIn(folder)).toEqual(['file', 'link', 'taken', 'taken/mine', 'x.zip'])
})

test('an abort while a file is inflated leaves nothing, and comes with its reason', async () => {
  const folder = newFolder()
  const zip = join(folder, 'x.zip')
  const data = Buffer.alloc(200_000_000)
  writeFileSync(zip, rawZip([{ name: 'big', data }]))
  const control = new AbortController()
  const reason = new Error('stopped')
  const options = { signal: control.signal, limits: { ratio: 10_000 } }
  const unpacking = unpackProject(zip, join(folder, 'place'), options)
  const isWriting = () => allIn(folder).some((name) => name.endsWith('/big'))
  void until(isWriting).then(() => control.abort(reason))
  await expect(unpacking).rejects.toBe(reason)
  expect(allIn(folder)).toEqual(['x.zip'])
  await expect(unpackProject(zip, join(folder, 'place'), options)).rejects.toBe(reason)
})

test('a disk that takes no more is a fault of the machine, and leaves nothing', () => {
  const folder = writeFiles(newFolder(), {
    'x.zip': rawZip([html, { name: 'big', data: Buffer.alloc(1_000_000) }]),
    'project/big.mp4': Buffer.alloc(1_000_000),
  })
  const program = `
    import { readManifest, unpackProject, writeProjectZip } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)}
    const show = (thrown) => console.log(thrown.code, thrown.fault)
    await unpackProject('x.zip', 'place').catch(show)
    await writeProjectZip('project', await readManifest('project'), 'new.zip').catch(show)`
  // In blocks of 512 bytes: the system refuses to write more to a file, as it does when a disk is full.
  const words = ['-c', 'ulimit -f 1000; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', program]
  const output = execFileSync('sh', words, { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH } })
  expect(output).toBe('VID_PROJECT_UNWRITABLE machine\n'.repeat(2))
  expect(allIn(folder)).toEqual(['project', 'project/big.mp4', 'x.zip'])
})
