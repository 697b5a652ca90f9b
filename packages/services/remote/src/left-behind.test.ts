import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readManifest } from '@vid/project'
import { expect, onTestFinished, test } from 'vitest'
import { type LeftBehindWords, leftBehindWarnings } from './left-behind.ts'

const words: LeftBehindWords = {
  refuse: (entry) => Object.assign(new Error(entry), { name: 'refused' }) as never,
  files: (files) => ({ code: 'files', message: files.join(', ') }),
  packages: (packages) => ({ code: 'packages', message: packages.join(', ') }),
}

/** The warnings about a project of these files. */
const warningsOf = async (files: Readonly<Record<string, string>>, entry = 'index.html') => {
  const folder = await mkdtemp(join(tmpdir(), 'left-behind-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const projectDir = join(folder, 'project')
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(projectDir, name)), { recursive: true })
    await writeFile(join(projectDir, name), text)
  }
  const manifest = await readManifest(projectDir)
  const warnings = await leftBehindWarnings({ projectDir, manifest, entry }, words)
  return warnings.map(({ code, message }) => [code, message])
}

const address = 'https://cdn.jsdelivr.net/npm/gsap@3.99.0/dist/gsap.min.js'
const gsap = {
  'node_modules/gsap/package.json': '{"name":"gsap","version":"3.99.0","main":"dist/gsap.js"}',
  'node_modules/gsap/dist/gsap.min.js': 'window.gsap = {}',
}

test('a project whose files are all sent gives no warning', async () => {
  const html = '<link href="css/a.css"><img src="img/a%20b.png"><script src="https://cdn.example.com/x.js"></script>'
  expect(
    await warningsOf({
      'index.html': `${html}<script src="${address}"></script>`,
      'css/a.css': 'a { background: url(../img/c.svg) }',
      'img/a b.png': '',
      'img/c.svg': '<svg/>',
      'dist/unused.js': '',
    }),
  ).toEqual([])
})

test('files that a text names and that stay behind are named', async () => {
  expect(
    await warningsOf({
      'index.html':
        '<script src="node_modules/a/index.js"></script><img src="/dist/b.png"><script src="js/c.js"></script>',
      'js/c.js': 'fetch("../secret/d.json"); fetch("missing/e.json")',
      'node_modules/a/index.js': '',
      'dist/b.png': '',
      'secret/d.json': '{}',
      '.vidignore': 'secret\n',
    }),
  ).toEqual([['files', 'dist/b.png, node_modules/a/index.js, secret/d.json']])
})

test('a package of the project that answers an address here is named, until .vidignore takes it in', async () => {
  const files = { 'index.html': `<script src="${address}"></script>`, ...gsap }
  expect(await warningsOf(files)).toEqual([['packages', 'gsap']])
  const rules = '!node_modules\nnode_modules/*\n!node_modules/gsap\n!node_modules/gsap/dist\n'
  expect(await warningsOf({ ...files, '.vidignore': rules })).toEqual([])
})

test('an entry file that is not sent is refused', async () => {
  const files = { 'dist/index.html': '<p>' }
  await expect(warningsOf(files, 'dist/index.html')).rejects.toMatchObject({
    name: 'refused',
    message: 'dist/index.html',
  })
})
