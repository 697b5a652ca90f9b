import { execFileSync } from 'node:child_process'
import { link, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, page, paint, vid } from '../../fixtures/project.ts'

// Writes mp4, a folder of images, and a format of its own.
const config = (more = '') =>
  paint.replace(
    /export default .*/s,
    `import { mkdir, writeFile } from 'node:fs/promises'
import file from '@vid/deliver-file'
const frames = {
  ...bytes(), name: 'fixture-frames', formats: ['png-sequence'], extension: '',
  async join(_segments, _audio, { path }) {
    await mkdir(path)
    await writeFile(path + '/frame_000000.png', 'picture')
    return { path }
  },
}
const other = { ...bytes(), name: 'fixture-other', formats: ['other'] }
export default { capture: painter(), encoders: [bytes(), frames, other], deliveries: [file()], ${more} }`,
  )
const make = (files: Readonly<Record<string, string>> = {}) => makeFolder({ 'vid.config.mjs': config(), ...files })
const codeOf = (stderr: string) => /error (VID_\w+)/.exec(stderr)?.[1]

/** Runs a command that must refuse its output before it plans anything, with the code; what was there stays. */
const refused = async (folder: string, code: string, path: string, ...args: string[]) => {
  const before = await readFile(join(folder, path), 'utf8').catch(() => undefined)
  const done = await vid(folder, 'render', 'intro', ...args)
  expect({ code: codeOf(done.stderr), exit: done.code }, done.stderr).toEqual({ code, exit: 2 })
  expect(done.stderr).not.toMatch(/^rendering/m)
  expect(await readFile(join(folder, path), 'utf8').catch(() => undefined)).toBe(before)
}

test('files that the render reads are never replaced, under whatever name, also with --force', async () => {
  const folder = await make({ 'values.json': '{"title":"a"}' })
  await link(join(folder, 'intro/index.html'), join(folder, 'hard.mp4'))
  await symlink(join(folder, 'intro'), join(folder, 'linked'))
  const chosen = ['--format', 'mp4', '--force']
  for (const path of ['intro/index.html', 'linked/index.html', 'hard.mp4', 'vid.config.mjs'])
    await refused(folder, 'VID_OUTPUT_INPUT', path, '-o', path, ...chosen)
  await refused(
    folder,
    'VID_OUTPUT_INPUT',
    'values.json',
    '-o',
    'values.json',
    '--variables-file',
    'values.json',
    ...chosen,
  )
})

test('a file of another kind and a link are replaced with --force only; an empty or earlier file without', async () => {
  const folder = await make({
    'notes.txt': 'mine',
    'intro/photo.jpg': 'mine',
    'kept.txt': 'mine',
    'empty.bin': '',
  })
  await symlink('kept.txt', join(folder, 'link.mp4'))
  const chosen = ['--format', 'mp4']
  for (const path of ['notes.txt', 'intro/photo.jpg', 'link.mp4'])
    await refused(folder, 'VID_OUTPUT_EXISTS', path, '-o', path, ...chosen)
  for (const path of ['notes.txt', 'link.mp4', 'empty.bin']) {
    const force = path === 'empty.bin' ? [] : ['--force']
    expect(await vid(folder, 'render', 'intro', '-o', path, ...chosen, ...force)).toMatchObject({ code: 0 })
    expect((await lstat(join(folder, path))).isFile()).toBe(true)
    expect(await readFile(join(folder, path))).toHaveLength(15)
  }
  expect(await readFile(join(folder, 'kept.txt'), 'utf8')).toBe('mine')
  for (let run = 0; run < 2; run += 1)
    expect(await vid(folder, 'render', 'intro', '-o', 'out/a.mp4')).toMatchObject({ code: 0 })
})

test('devices, pipes and streams are refused with a hint, also with --force', async () => {
  const folder = await make()
  execFileSync('mkfifo', [join(folder, 'pipe.mp4')])
  for (const path of ['/dev/null', '/dev/stdout', '/proc/self/fd/1', 'pipe.mp4']) {
    const { code, stderr } = await vid(folder, 'render', 'intro', '--force', '--format', 'mp4', '-o', path)
    expect({ code, named: codeOf(stderr) }, stderr).toEqual({ code: 2, named: 'VID_OUTPUT_KIND' })
    expect(stderr).toContain('hint: Give the path of a file')
  }
  expect((await lstat('/dev/null')).isCharacterDevice()).toBe(true)
  expect((await lstat(join(folder, 'pipe.mp4'))).isFIFO()).toBe(true)
})

test('what the composition shows is replaced with --force only', async () => {
  const shows = (html: string) => page.replace('</body>', `${html}</body>`)
  const folder = await make({
    'intro/index.html': shows(
      '<link rel="stylesheet" href="look/style.css"><img src="a.other"><img src="set/frame_000000.png">',
    ),
    'intro/look/style.css': 'body { background: url("../b%20b.other") }',
    'intro/a.other': 'mine',
    'intro/b b.other': 'mine',
    'intro/c.other': 'mine',
    'intro/set/frame_000000.png': 'mine',
  })
  for (const path of ['intro/a.other', 'intro/b b.other'])
    await expect(vid(folder, 'render', 'intro', '-o', path)).resolves.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('VID_OUTPUT_SOURCE'),
    })
  const sequence = ['--format', 'png-sequence', '-o', 'intro/set']
  expect((await vid(folder, 'render', 'intro', ...sequence)).stderr).toContain('VID_OUTPUT_SOURCE')
  for (const path of ['a.other', 'b b.other', 'set/frame_000000.png'])
    expect(await readFile(join(folder, 'intro', path), 'utf8')).toBe('mine')
  expect(await vid(folder, 'render', 'intro', '-o', 'intro/c.other')).toMatchObject({ code: 0 })
  expect(await vid(folder, 'render', 'intro', '-o', 'intro/a.other', '--force')).toMatchObject({ code: 0 })
})

test('a folder of images replaces an earlier one alone, and no folder with other files in it', async () => {
  const folder = await make({ 'mixed/frame_000000.png': 'a', 'mixed/notes.txt': 'mine' })
  const args = ['--format', 'png-sequence', '--force', '-o']
  await refused(folder, 'VID_OUTPUT_FOREIGN', 'mixed/notes.txt', ...args, 'mixed')
  await refused(folder, 'VID_OUTPUT_FOREIGN', 'intro/index.html', ...args, '.')
  for (let run = 0; run < 2; run += 1)
    expect(await vid(folder, 'render', 'intro', ...args, 'own')).toMatchObject({ code: 0 })
})

test('outputs that are one file by case, Unicode form or a linked folder, or inside one another, are refused', async () => {
  const pairs = [
    ['a/Clip.mp4', 'a/clip.MP4', 'VID_OUTPUT_TWICE'],
    ['a/\u00e9.mp4', 'a/e\u0301.mp4', 'VID_OUTPUT_TWICE'],
    ['a/x.mp4', 'alias/x.mp4', 'VID_OUTPUT_TWICE'],
    ['a/x/y.mp4', 'a/x', 'VID_OUTPUT_NESTED'],
  ] as const
  for (const [one, other, code] of pairs) {
    const format = other === 'a/x' ? 'png-sequence' : 'other'
    const outputs = JSON.stringify([
      { format: 'mp4', output: one },
      { format, output: other },
    ])
    const folder = await make({ 'vid.config.mjs': config(`render: { outputs: ${outputs} }`), 'a/keep': '' })
    await symlink('a', join(folder, 'alias'))
    await refused(folder, code, 'vid.config.mjs')
    expect(await readdir(join(folder, 'a'))).toEqual(['keep'])
  }
})

test('the folder of kept segments takes no output', async () => {
  const folder = await make()
  await refused(folder, 'VID_OUTPUT_RESERVED', 'intro/.vid/a.mp4', '-o', 'intro/.vid/a.mp4')
  await refused(folder, 'VID_OUTPUT_RESERVED', 'intro/.VID/a.mp4', '-o', 'intro/.VID/a.mp4')
})

test('a name of 255 bytes is written, and one of 256 is refused before the render', async () => {
  const folder = await make()
  const longest = `${'\u00e9'.repeat(125)}a.mp4`
  expect(Buffer.byteLength(longest)).toBe(255)
  expect(await vid(folder, 'render', 'intro', '-o', `out/${longest}`)).toMatchObject({ code: 0 })
  expect(await readdir(join(folder, 'out'))).toEqual([longest])
  await refused(folder, 'VID_OUTPUT_NAME', 'out', '-o', `out/b${longest}`)
  await refused(folder, 'VID_OUTPUT_NAME', 'out', '-o', `${'d/'.repeat(2100)}a.mp4`)
})

test('an output folder that cannot be written to is found before the render', async () => {
  const folder = await make({ taken: 'a file' })
  for (const path of ['taken/deep/a.mp4', '/sys/kernel/a.mp4']) {
    const { code, stderr } = await vid(folder, 'render', 'intro', '-o', path)
    expect({ code, named: codeOf(stderr) }, stderr).toEqual({ code: 1, named: 'VID_OUTPUT_UNWRITABLE' })
    expect(stderr).not.toContain('rendering')
  }
})

test('a name that ends in another kind of file is refused, and warned of where --format says what it is', async () => {
  const folder = await make()
  await refused(folder, 'VID_OUTPUT_SUFFIX', 'foo.avi', '-o', 'foo.avi')
  await expect(lstat(join(folder, 'foo.avi'))).rejects.toThrow()
  const { code, stderr } = await vid(folder, 'render', 'intro', '-o', 'foo.avi', '--format', 'mp4')
  expect(code).toBe(0)
  expect(stderr).toContain('VID_OUTPUT_MISNAMED: The output "foo.avi" will hold mp4, not avi')
  await refused(folder, 'VID_OUTPUT_SUFFIX', 'clip.v2', '-o', 'clip.v2')
  expect((await vid(folder, 'render', 'intro', '-o', 'clip.v2', '--format', 'mp4')).code).toBe(0)
})

test('a batch replaces neither its rows, nor its composition, nor a manifest that is not from a batch', async () => {
  const rows = JSON.stringify([{ title: 'index' }])
  const folder = await make({
    'rows.json': rows,
    'out/manifest.json': '{"name":"app"}',
    'own/manifest.json': rows,
  })
  const batch = ['--batch', 'rows.json', '--force', '--format', 'mp4', '-o']
  await refused(folder, 'VID_BATCH_ROW', 'intro/index.html', ...batch, 'intro/{title}.html')
  await refused(folder, 'VID_BATCH_ROW', 'intro/index.html', ...batch, 'out/../intro/{title}.html')
  await refused(folder, 'VID_BATCH_ROW', 'rows.json', ...batch, 'rows.json')
  const plain = ['--batch', 'rows.json', '-o']
  await refused(folder, 'VID_MANIFEST_FOREIGN', 'out/manifest.json', ...plain, 'out/{title}.mp4')
  await refused(
    folder,
    'VID_OUTPUT_INPUT',
    'own/manifest.json',
    '--batch',
    'own/manifest.json',
    '--force',
    '-o',
    'own/{title}.mp4',
  )
  await rm(join(folder, 'out/manifest.json'))
  for (let run = 0; run < 2; run += 1)
    expect(await vid(folder, 'render', 'intro', ...plain, 'out/{title}.mp4')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('done: 1 of 1 rows'),
    })
})

test('every row whose name is too long, or whose output is inside that of another, is named before the first starts', async () => {
  const long = [{ title: 'a' }, { title: 'b'.repeat(300) }, { title: 'c'.repeat(300) }]
  const folder = await make({
    'rows.json': JSON.stringify(long),
    'deep.json': '[{"title":"a.mp4"},{"title":"b"}]',
  })
  const done = await vid(folder, 'render', 'intro', '--batch', 'rows.json', '-o', 'out/{title}.mp4')
  expect(done.code).toBe(2)
  for (const row of [1, 2]) expect(done.stderr).toContain(`Row ${row} cannot be rendered`)
  expect(await readdir(folder)).not.toContain('out')
  await mkdir(join(folder, 'out/a.mp4'), { recursive: true })
  await writeFile(join(folder, 'out/a.mp4/keep'), '')
  const nested = await vid(folder, 'render', 'intro', '--batch', 'deep.json', '-o', 'out/{title}')
  expect(codeOf(nested.stderr)).toBe('VID_BATCH_ROW')
})
