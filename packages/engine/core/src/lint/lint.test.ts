import { symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brief, lint, makeProject, root } from './fixtures/project.ts'
import { lintComposition } from './index.ts'

const card = (name: string) => `<div data-composition-src="${name}" data-start="0"></div>`

test('findings are sorted by file, the entry first, then by line, and are deterministic', async () => {
  const files = {
    'index.html': root(`${card('z.html')}\n${card('a.html')}\n<img src="none.png">\n<p data-start="gone">x</p>`),
    'a.html': '<template>\n<img src="none.png">\n</template>',
    'z.html': '<template>\n<p>x</p>\n<img src="none.png">\n</template>',
  }
  const findings = await lint(files)
  expect(brief(findings)).toEqual([
    'index.html:4 missing-asset',
    'index.html:5 unknown-start',
    'z.html:3 missing-asset',
    'a.html:2 missing-asset',
  ])
  expect(await lint(files)).toEqual(findings)
})

test('a finding has a selector that matches its element', async () => {
  const [named, quoted, classy, plain] = await lint({
    'index.html': root(
      '<img id="logo" src="1">\n<img id="a b" src="1">\n<i class="x y" style="background:url(1)"></i>\n<b style="background:url(1)"></b>',
    ),
  })
  expect([named, quoted, classy, plain].map((finding) => finding?.selector)).toEqual([
    '#logo',
    '[id="a b"]',
    'i.x',
    'b',
  ])
  expect(named?.message).toBe('"1" refers to the file "1", which does not exist.')
})

test('a file that is embedded twice is read once', async () => {
  const files = {
    'index.html': root(card('a.html').repeat(2)),
    'a.html': '<body><img src="none.png"></body>',
  }
  expect(brief(await lint(files))).toEqual(['a.html:1 missing-asset'])
})

test('a cycle through other files is reported with its chain', async () => {
  const findings = await lint({
    'index.html': root(card('a.html')),
    'a.html': `<template>${card('b.html')}</template>`,
    'b.html': `<template>\n${card('a.html')}</template>`,
  })
  expect(brief(findings)).toEqual(['b.html:2 nested-cycle'])
  expect(findings[0]?.message).toContain('index.html → a.html → b.html → a.html')
})

test('scripts and style sheets in separate files are read, with their lines', async () => {
  const findings = await lint({
    'index.html': root(
      '<link rel="stylesheet" href="style/main.css">\n<script src="main.js"></script>\n<script src="lib/x.js"></script>',
    ),
    'style/main.css': "@import 'more.css';\np { font: 700 20px/1.2 Lost, sans-serif }",
    'style/more.css': '\n\ni { background: url("../none.png") }',
    'main.js': '\nfetch(`https://example.com/`)',
    'lib/x.js': 'fetch("https://example.com")',
  })
  expect(brief(findings).sort()).toEqual([
    'main.js:2 network-call',
    'style/main.css:2 unknown-font',
    'style/more.css:3 missing-asset',
  ])
})

test('an asset outside the project is missing, also behind a symbolic link', async () => {
  const dir = await makeProject({
    'project/index.html': root(
      '<img src="link.png">\n<img src="../secret.png">\n<img src="/logo.png?1#a">\n<img src="a%20b.png">',
    ),
    'secret.png': '',
    'project/logo.png': '',
    'project/a b.png': '',
  })
  await symlink(join(dir, 'secret.png'), join(dir, 'project/link.png'))
  const findings = await lintComposition(join(dir, 'project'), 'index.html')
  expect(brief(findings)).toEqual(['index.html:2 missing-asset', 'index.html:3 missing-asset'])
  expect(findings[1]?.message).toContain('outside the project')
})

test('a missing file of a package is installed rather than written', async () => {
  const [finding] = await lint({
    'index.html': '<script src="./node_modules/gsap/dist/gsap.min.js"></script>',
  })
  expect(finding).toMatchObject({ code: 'lint/missing-asset', hint: expect.stringContaining('npm install') })
})

test('a missing file that is there in other upper and lower case is named as it is', async () => {
  const dir = await makeProject({
    'index.html': root('<img src="Assets/Logo.PNG">\n<img src="assets/none.png">'),
    'assets/logo.png': '',
  })
  const [other, none] = await lintComposition(dir, 'index.html')
  expect(other?.hint).toContain('"assets/logo.png"')
  expect(none?.hint).not.toContain('logo')
})

test('a hidden file is not read, and the finding says so', async () => {
  const findings = await lint({
    'index.html': root('<img src=".secret.png">\n<script src=".env"></script>\n<img src="clip.png?token=abc">'),
    '.env': 'KEY=(secret',
    '.secret.png': '',
  })
  expect(brief(findings)).toEqual([
    'index.html:2 missing-asset',
    'index.html:3 missing-asset',
    'index.html:4 missing-asset',
  ])
  expect(findings[0]?.message).toContain('hidden files are not read')
  expect(JSON.stringify(findings)).not.toMatch(/KEY|abc/)
})

test('references that are not loaded from the project are ignored', async () => {
  const content = [
    '<a href="gone.html">x</a>',
    '<img src="https://example.com/a.png">',
    '<img src="">',
    '<svg><use href="#x"/></svg>',
    '<img src="data:image/png;base64,AAAA">',
    '<img src="{{logo}}">',
  ]
  expect(await lint({ 'index.html': root(content.join('\n')) })).toEqual([])
})

test('paths of an embedded file are relative to it or to the project', async () => {
  const files = {
    'index.html': root(card('scenes/a.html')),
    'scenes/a.html': '<template>\n<img srcset="near.png 1x, far.png 2x">\n<video poster="none.png"></video></template>',
    'scenes/near.png': '',
    'far.png': '',
  }
  expect(brief(await lint(files))).toEqual(['scenes/a.html:3 missing-asset'])
})

test('large media inside style sheets and attributes is reported without its content', async () => {
  const data = `data:font/woff2;base64,${'A'.repeat(5000)}`
  const findings = await lint({
    'index.html': root(
      `<style>@font-face { font-family: F; src: url(${data}) }</style>\n<img src="${data.replace('font/woff2', 'image/png')}">`,
    ),
  })
  expect(brief(findings)).toEqual(['index.html:2 inlined-media', 'index.html:3 inlined-media'])
  expect(findings[0]?.message).toBe('data:font/woff2;base64,… puts 5023 characters of media into the text.')
})

test('values for an inline composition are checked, values for a missing file are not', async () => {
  const declared = `data-composition-variables='[{"id":"n","type":"number","label":"N","default":1}]'`
  const inline = `<div data-composition-id="in" data-start="0" ${declared} data-variable-values='{"n":"two"}'></div>`
  const missing = `<div data-composition-src="gone.html" data-start="0" data-variable-values='{"n":1}'></div>`
  const findings = await lint({ 'index.html': root(`${inline}\n${missing}`) })
  expect(brief(findings)).toEqual(['index.html:2 host-values', 'index.html:3 nested-missing'])
  expect(findings[0]?.message).toBe('Variable "n" expected a finite number, got string.')
})

test('a file that is meant to be embedded is checked as an entry by what is in its template', async () => {
  const scene = (more: string) => `<template><div data-composition-id="a" ${more}></div></template>`
  const sized = 'data-width="16" data-height="16" data-duration="1"'
  expect(await lint({ 'index.html': scene(sized) })).toEqual([])
  expect((await lint({ 'index.html': scene('') }))[0]).toMatchObject({ code: 'lint/no-size' })
})

test('an entry that cannot be read throws the same error as a render', async () => {
  const dir = await makeProject({ 'other.html': root('') })
  await expect(lintComposition(dir, 'index.html')).rejects.toMatchObject({ code: 'VID_ENTRY_MISSING' })
  await expect(lintComposition(dir, '../x.html')).rejects.toMatchObject({ code: 'VID_ENTRY_OUTSIDE' })
  await writeFile(join(dir, 'index.html'), root(card('other.html')))
  await expect(lintComposition(dir, 'index.html', { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
})

test('a script that is too large to be read is taken for data, and an embedded file of that size is an error', async () => {
  const dir = await makeProject({
    'index.html': root('<script src="data.js"></script>'),
    'embedding.html': root(card('large.html')),
    'data.js': '',
    'large.html': '',
  })
  await truncate(join(dir, 'data.js'), 2 ** 26)
  await truncate(join(dir, 'large.html'), 2 ** 26)
  expect(await lintComposition(dir, 'index.html')).toEqual([])
  await expect(lintComposition(dir, 'embedding.html')).rejects.toMatchObject({
    code: 'VID_TEXT_TOO_LARGE',
    message:
      'The file "large.html" has 67108864 bytes; a text that is read as a part of a composition has at most 33554432.',
  })
})
