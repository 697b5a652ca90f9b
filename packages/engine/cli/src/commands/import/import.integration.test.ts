import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventsOf, makeFolder, vid } from '../../fixtures/project.ts'

const page = (body: string) => `<!doctype html><html><body>
<div data-composition-id="main" data-width="64" data-height="36" data-duration="1" data-fps="24">${body}</div></body></html>`

const manifest = {
  name: 'old-film',
  scripts: {
    dev: 'npx --yes hyperframes@0.8.170 preview',
    check: 'hyperframes check',
    final: 'hyperframes render --quality delivery',
    speak: 'hyperframes tts',
    test: 'vitest run --watch',
  },
  dependencies: { gsap: '^3.0.0', hyperframes: '^0.8.0' },
  devDependencies: { '@hyperframes/core': '^0.8.0' },
}

const old = {
  'old/index.html': page('\n<script>const { a } = __hyperframes.getVariables()</script>\n<p data-fx-chain="1">x</p>'),
  'old/assets/sound.bin': '\u0000\u0001',
  'old/hyperframes.json': '{}',
  'old/AGENTS.md': 'use hyperframes',
  'old/package.json': JSON.stringify(manifest),
  'old/renders/old.mp4': '',
}

const read = (...path: readonly string[]) => readFile(join(...path), 'utf8')

test('a project is copied with the names of vid, and the old one stays as it is', async () => {
  const folder = await makeFolder(old)
  const before = await readdir(join(folder, 'old'), { recursive: true })
  const { code, stdout, stderr } = await vid(folder, 'import', 'hyperframes', 'old', 'new film')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'new film\n' })
  expect((await readdir(join(folder, 'new film'), { recursive: true })).sort()).toEqual([
    '.gitignore',
    'AGENTS.md',
    'assets',
    'assets/sound.bin',
    'index.html',
    'package.json',
    'vid.config.ts',
  ])
  expect(await read(folder, 'new film/index.html')).toBe(old['old/index.html'].replace('__hyperframes', '__vid'))
  expect(await read(folder, 'new film/assets/sound.bin')).toBe(old['old/assets/sound.bin'])
  expect(await read(folder, 'new film/AGENTS.md')).toContain('vid')
  expect(await read(folder, 'new film/vid.config.ts')).toContain('{ fps: 24 }')
  expect(stderr).toContain('index.html:3: __hyperframes is __vid now')
  expect(stderr).toContain('4  warning  data-fx-chain has no effect in vid.  [import/attribute]')
  expect(stderr).toContain("next: cd 'new film' && ")
  expect(await readdir(join(folder, 'old'), { recursive: true })).toEqual(before)
  for (const [path, text] of Object.entries(old)) expect(await read(folder, path)).toBe(text)
})

test('scripts call vid where they ask for the same, and the others are named', async () => {
  const folder = await makeFolder(old)
  const { stderr } = await vid(folder, 'import', 'hyperframes', 'old')
  const { scripts, dependencies, devDependencies } = JSON.parse(await read(folder, 'old-vid/package.json'))
  expect(scripts).toEqual({ ...manifest.scripts, dev: 'vid preview', check: 'vid lint' })
  expect(dependencies).toEqual({ gsap: '^3.0.0' })
  expect(Object.keys(devDependencies)).toEqual(['@vid/cli', '@vid/config'])
  expect(stderr).toContain('these scripts still call hyperframes: final, speak')
})

test.each([
  ['https://cdn.jsdelivr.net/npm/gsap@3.12.5/dist/gsap.min.js', {}, { gsap: '3.12.5' }],
  ['https://unpkg.com/gsap/dist/gsap.min.js', {}, { gsap: 'latest' }],
  ['https://cdnjs.cloudflare.com/ajax/libs/gsap/3.9.1/gsap.min.js', { gsap: '^3.0.0' }, { gsap: '^3.0.0' }],
])('a project that loads %s installs GSAP', async (address, dependencies, expected) => {
  const folder = await makeFolder({
    'old/index.html': page(`<script src="${address}"></script>`),
    'old/package.json': JSON.stringify({ name: 'old-film', dependencies }),
  })
  await vid(folder, 'import', 'hyperframes', 'old')
  expect(JSON.parse(await read(folder, 'old-vid/package.json')).dependencies).toEqual(expected)
  expect(await read(folder, 'old-vid/.vidignore')).toMatch(/^!node_modules\nnode_modules\/\*\n!node_modules\/gsap\n/)
})

test('--json is one object with the folder, the files, the names and what is left to do', async () => {
  const folder = await makeFolder(old)
  const { stdout } = await vid(folder, 'import', 'hyperframes', 'old', '--json')
  expect(eventsOf(stdout)).toEqual([
    expect.objectContaining({
      type: 'import',
      folder: join(folder, 'old-vid'),
      files: expect.arrayContaining(['assets/sound.bin', 'index.html']),
      renames: [{ file: 'index.html', line: 3, from: '__hyperframes', to: '__vid' }],
      findings: [expect.objectContaining({ code: 'import/attribute', file: 'index.html', line: 4 })],
    }),
  ])
})

test('what vid lint finds is printed too', async () => {
  const folder = await makeFolder({ 'old/index.html': page('<img src="gone.png">') })
  const { code, stderr } = await vid(folder, 'import', 'hyperframes', 'old')
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('[lint/missing-asset]') })
})

test.each([
  [['hyperframes', 'gone'], 'VID_IMPORT_SOURCE'],
  [['hyperframes', 'tmp'], 'VID_IMPORT_SOURCE'],
  [['hyperframe', 'intro'], 'VID_IMPORT_UNKNOWN'],
  [['hyperframes', 'intro', 'intro'], 'VID_INIT_TAKEN'],
  [['hyperframes', 'intro', 'intro/new'], 'VID_IMPORT_PLACE'],
])('vid import %j ends with %s and makes nothing', async (words, code) => {
  const folder = await makeFolder()
  // Node would follow the links of `node_modules` into the repository.
  const projects = async () => [
    await readdir(folder),
    await readdir(join(folder, 'intro'), { recursive: true }),
    await readdir(join(folder, 'tmp'), { recursive: true }),
  ]
  const before = await projects()
  const ended = await vid(folder, 'import', ...words)
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(`error ${code}: `) })
  expect(await projects()).toEqual(before)
})

test('a link that leaves the project ends the import, and nothing is made', async () => {
  const folder = await makeFolder({ 'old/index.html': page('') })
  await mkdir(join(folder, 'other'))
  await writeFile(join(folder, 'other/secret.txt'), 'secret')
  await symlink('../other/secret.txt', join(folder, 'old/secret.txt'))
  const { code, stderr } = await vid(folder, 'import', 'hyperframes', 'old')
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('VID_PROJECT_FILES_UNFIT') })
  expect(await readdir(folder)).not.toContain('old-vid')
})

test('a package.json that cannot be read is copied and reported', async () => {
  const folder = await makeFolder({ 'old/index.html': page(''), 'old/package.json': '{ "name": ' })
  const { stderr } = await vid(folder, 'import', 'hyperframes', 'old')
  expect(stderr).toContain('[import/package-json]')
  expect(await read(folder, 'old-vid/package.json')).toBe('{ "name": ')
})

test('a page in another encoding is copied byte for byte', async () => {
  const folder = await makeFolder({ 'old/index.html': page('') })
  const bytes = Buffer.from('caf\u00e9 __hyperframes.getVariables()', 'latin1')
  await writeFile(join(folder, 'old/old.js'), bytes)
  await vid(folder, 'import', 'hyperframes', 'old')
  expect(await readFile(join(folder, 'old-vid/old.js'))).toEqual(bytes)
})

test('a folder "dist" of the project is copied where a page names a file in it, others at any depth always', async () => {
  const folder = await makeFolder({
    'old/index.html': page('<script src="dist/a.js"></script><script src="vendor/d3/dist/d3.min.js"></script>'),
    'old/dist/a.js': '',
    'old/vendor/d3/dist/d3.min.js': '',
    'old/coverage/x.html': '',
  })
  const { stderr } = await vid(folder, 'import', 'hyperframes', 'old')
  expect(stderr).not.toContain('missing-asset')
  expect(await read(folder, 'old-vid/dist/a.js')).toBe('')
  expect(await read(folder, 'old-vid/.vidignore')).toBe('!/dist\n')
  expect(await readdir(join(folder, 'old-vid'))).not.toContain('coverage')
})
