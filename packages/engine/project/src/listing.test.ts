import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allIn, codeOf, newFolder, writeFiles } from './fixtures/folders.ts'
import { listProject } from './index.ts'

const pathsOf = async (folder: string) => (await listProject(folder)).map(({ path }) => path)
const problemsOf = (folder: string) =>
  listProject(folder).then(
    () => [],
    (thrown: { facts: { problems: { path: string; problem: string }[] } }) =>
      thrown.facts.problems.map(({ path, problem }) => `${path} ${problem}`),
  )

test('hidden files, folders of builds, packages and renders, and what systems leave behind are not listed', async () => {
  const folder = writeFiles(newFolder(), {
    'index.html': '',
    'a/b/c.css': '',
    'a/node_module.js': '',
    'renders.txt': '',
    '.env': '',
    '.git/HEAD': '',
    'a/.next/x': '',
    'a/.DS_Store': '',
    'Thumbs.db': '',
    'Icon\r': '',
    'node_modules/x/i.js': '',
    'a/node_modules/y.js': '',
    'dist/x.js': '',
    'coverage/x': '',
    'renders/x.mp4': '',
    'snapshots/x.png': '',
    '__MACOSX/._x': '',
  })
  expect(await pathsOf(folder)).toEqual(['a/b/c.css', 'a/node_module.js', 'index.html', 'renders.txt'])
})

test('paths are sorted by code points, not by UTF-16', async () => {
  const folder = writeFiles(newFolder(), { '\u{1f600}.png': '', '\uff5e.png': '', 'Z.png': '', 'a.png': '' })
  expect(await pathsOf(folder)).toEqual(['Z.png', 'a.png', '\uff5e.png', '\u{1f600}.png'])
})

test('.vidignore is read as git reads .gitignore, in folders too, and git itself agrees', async () => {
  const files = {
    '.vidignore': '*.psd\n!keep.psd\n/top.txt\nraw/\nBuild\n# no rule\n\\#x\ndeep/**/z.txt\n',
    'a.psd': '',
    'keep.psd': '',
    'top.txt': '',
    'sub/top.txt': '',
    'raw/x.png': '',
    'sub/raw': '',
    'Build/y/z': '',
    '#x': '',
    'deep/a/b/z.txt': '',
    'deep/a/b/y.txt': '',
    'sub/.vidignore': '!a.psd\n*.txt\n!Build\n',
    'sub/a.psd': '',
    'sub/b.psd': '',
    'sub/n.txt': '',
    'sub/Build/x/y.js': '',
    'other/a.psd': '',
  }
  const folder = writeFiles(newFolder(), files)
  const git = writeFiles(
    newFolder(),
    Object.fromEntries(Object.entries(files).map(([path, text]) => [path.replace('.vidignore', '.gitignore'), text])),
  )
  execFileSync('git', ['init', '-q'], { cwd: git })
  const output = execFileSync('git', ['ls-files', '--others', '--exclude-standard', '-z'], {
    cwd: git,
    encoding: 'utf8',
  })
  const expected = output.split('\0').filter((path) => path !== '' && !path.includes('.gitignore'))
  expect(await pathsOf(folder)).toEqual(expected.sort())
  expect(expected).toContain('sub/Build/x/y.js')
  expect(expected).not.toContain('sub/b.psd')
})

test('.vidignore can take in again what is left out by default, but no hidden file', async () => {
  const folder = writeFiles(newFolder(), {
    '.vidignore': '!dist\n!.env\n!.git\n',
    'dist/lib.js': '',
    '.env': '',
    '.git/HEAD': '',
    'index.html': '',
  })
  expect(await pathsOf(folder)).toEqual(['dist/lib.js', 'index.html'])
})

test('a .vidignore that is a link, a folder or a pipe, or too large, is refused', async () => {
  const folders = [0, 1, 2, 3].map(() => writeFiles(newFolder(), { 'index.html': '' })) as [
    string,
    string,
    string,
    string,
  ]
  symlinkSync('index.html', join(folders[0], '.vidignore'))
  mkdirSync(join(folders[1], '.vidignore'))
  execFileSync('mkfifo', [join(folders[2], '.vidignore')])
  writeFileSync(join(folders[3], '.vidignore'), Buffer.alloc(1024 ** 2 + 1, '#'))
  for (const folder of folders) expect(await codeOf(listProject(folder))).toBe('VID_PROJECT_FILES_UNFIT')
})

test('links that stay inside are listed as what they name, also whole folders and packages', async () => {
  const inside = writeFiles(newFolder(), { 'a/x.js': '', 'node_modules/lib/lib.js': '', 'index.html': '' })
  symlinkSync('a/x.js', join(inside, 'y.js'))
  symlinkSync('a', join(inside, 'b'))
  symlinkSync('node_modules/lib/lib.js', join(inside, 'lib.js'))
  const entries = await listProject(inside)
  expect(entries.map(({ path }) => path)).toEqual(['a/x.js', 'b/x.js', 'index.html', 'lib.js', 'y.js'])
  expect(entries.find(({ path }) => path === 'b/x.js')?.file).toBe(join(inside, 'a/x.js'))
})

test('all files that cannot be sent are reported at once, by name', async () => {
  const folder = writeFiles(newFolder(), {
    'a/A.txt': '',
    'a/a.txt': '',
    'back\\slash': '',
    'line\nbreak': '',
    'aux.css': '',
    'end.': '',
    '.env': 'secret',
    'caf\u00e9.txt': '',
    'cafe\u0301.txt': '',
  })
  writeFileSync(Buffer.from([...Buffer.from(`${folder}/bad-`), 0xff, 0xfe]), '')
  symlinkSync('/etc/hostname', join(folder, 'leaves'))
  symlinkSync('.env', join(folder, 'secret.txt'))
  symlinkSync('nothing', join(folder, 'dangling'))
  symlinkSync('..', join(folder, 'a', 'up'))
  mkdirSync(join(folder, 'b/c'), { recursive: true })
  symlinkSync('../../b', join(folder, 'b/c/loop'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  expect((await problemsOf(folder)).sort()).toEqual([
    'a/a.txt is the same name as "a/A.txt" on some systems',
    "a/up is a link to nothing, or to the project's own folder",
    'aux.css is a device on Windows',
    'b/c/loop is a link to a folder that it lies in',
    'back\\slash has a backslash',
    'bad-\ufffd\ufffd has a name that is not valid UTF-8',
    'caf\u00e9.txt is the same name as "cafe\u0301.txt" on some systems',
    "dangling is a link to nothing, or to the project's own folder",
    'end. has a part that ends with a dot or a space',
    'leaves is a link that leaves the folder',
    'line\nbreak has a control character',
    'pipe is a device, a pipe or a socket',
    'secret.txt is a link to a hidden file',
  ])
})

test('links that leave are no problem where they are left out', async () => {
  const folder = writeFiles(newFolder(), { 'index.html': '', '.vidignore': 'raw\n' })
  for (const name of ['renders', 'raw', 'node_modules', '.cache']) symlinkSync('/etc', join(folder, name))
  expect(await pathsOf(folder)).toEqual(['index.html'])
})

test('folders that links make endless, many or deep end at the limits', async () => {
  const folder = newFolder()
  // Each folder is reached by two names, so the last has 2^30 paths.
  for (let level = 0; level < 30; level += 1) {
    mkdirSync(join(folder, `f${level}`))
    for (const name of ['x', 'y']) symlinkSync(`../f${level + 1}`, join(folder, `f${level}`, name))
  }
  writeFiles(folder, { 'f30/file.txt': '' })
  expect(await codeOf(listProject(folder, { limits: { entries: 1000 } }))).toBe('VID_PROJECT_TOO_LARGE')
  const deep = writeFiles(newFolder(), { 'a/b/c/d.txt': '' })
  expect(await codeOf(listProject(deep, { limits: { depth: 3 } }))).toBe('VID_PROJECT_TOO_LARGE')
  expect(await listProject(deep, { limits: { depth: 4 } })).toHaveLength(1)
})

test('a folder that is missing, or a file, is refused; an aborted signal ends the listing', async () => {
  const folder = writeFiles(newFolder(), { 'index.html': '' })
  expect(await codeOf(listProject(join(folder, 'nothing')))).toBe('VID_PROJECT_FOLDER_MISSING')
  expect(await codeOf(listProject(join(folder, 'index.html')))).toBe('VID_PROJECT_FOLDER_MISSING')
  const reason = new Error('stopped')
  await expect(listProject(folder, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(allIn(folder)).toEqual(['index.html'])
})
