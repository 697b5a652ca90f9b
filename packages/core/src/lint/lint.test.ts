import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brief, lint, makeProject, root } from './fixtures/project.ts'
import { lintComposition } from './index.ts'

const card = (name: string) => `<div data-composition-src="${name}" data-start="0"></div>`

test('findings are ordered by file, the entry first, then by line, and are the same each time', async () => {
  const files = {
    'index.html': root(
      `${card('z.html')}\n${card('a.html')}\n<img src="none.png">\n<p data-start="gone">x</p>`,
    ),
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

test('a finding says which element, in a selector that finds it', async () => {
  const [named, quoted, classy, plain] = await lint({
    'index.html': root(
      '<img id="logo" src="1">\n<img id="a b" src="1">\n<i class="x y" style="background:url(1)"></i>\n<b style="background:url(1)"></b>',
    ),
  })
  expect([named, quoted, classy, plain].map((each) => each?.selector)).toEqual([
    '#logo',
    '[id="a b"]',
    'i.x',
    'b',
  ])
  expect(named?.message).toBe('"1" means the file "1", which is not there.')
})

test('a file that is embedded twice is read once', async () => {
  const files = {
    'index.html': root(card('a.html').repeat(2)),
    'a.html': '<body><img src="none.png"></body>',
  }
  expect(brief(await lint(files))).toEqual(['a.html:1 missing-asset'])
})

test('a cycle through other files is told with its chain', async () => {
  const findings = await lint({
    'index.html': root(card('a.html')),
    'a.html': `<template>${card('b.html')}</template>`,
    'b.html': `<template>\n${card('a.html')}</template>`,
  })
  expect(brief(findings)).toEqual(['b.html:2 nested-cycle'])
  expect(findings[0]?.message).toContain('index.html → a.html → b.html → a.html')
})

test('scripts and style sheets in files of their own are read, with their lines', async () => {
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

test('an asset outside the project is missing, also behind a link', async () => {
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

test('references that are not loaded from the project are left alone', async () => {
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

test('paths of an embedded file are relative to it, and may be relative to the project', async () => {
  const files = {
    'index.html': root(card('scenes/a.html')),
    'scenes/a.html':
      '<template>\n<img srcset="near.png 1x, far.png 2x">\n<video poster="none.png"></video></template>',
    'scenes/near.png': '',
    'far.png': '',
  }
  expect(brief(await lint(files))).toEqual(['scenes/a.html:3 missing-asset'])
})

test('every start that cannot be resolved is reported, not only the first', async () => {
  const content =
    '<p data-start="x">a</p>\n<p data-start="y">b</p>\n<p id="m" data-start="n">c</p>\n<p id="n" data-start="m">d</p>'
  const findings = await lint({ 'index.html': root(content) })
  expect(brief(findings).map((text) => text.split(' ')[1])).toEqual([
    'unknown-start',
    'unknown-start',
    'start-cycle',
  ])
})

const clips = (...timings: string[]) =>
  timings.map((timing) => `<p data-track-index="1" ${timing}>x</p>`).join('\n')
const overlapsIn = async (content: string, others = {}) =>
  brief(await lint({ 'index.html': root(content), ...others })).filter((text) => text.includes('overlapping'))

test.each([
  [
    'windows that touch, after rounding',
    clips('data-start="0.1" data-duration="0.2"', 'data-start="0.3" data-duration="1"'),
    0,
  ],
  ['a clip after one without an end', clips('data-start="0"', 'data-start="3" data-duration="1"'), 1],
  ['an absolute end', clips('data-start="0" data-end="2"', 'data-start="1.9" data-duration="1"'), 1],
  [
    'a start that follows another clip',
    clips('id="a" data-start="0" data-duration="2"', 'data-start="a - 0.5" data-duration="1"'),
    1,
  ],
  ['clips of no track', '<p data-start="0">x</p>\n<p data-start="0">x</p>', 0],
  [
    'the older spelling',
    '<p data-layer="2" data-start="0">x</p>\n<p data-track-index="2" data-start="1">x</p>',
    1,
  ],
  [
    'two alike on one line',
    '<p data-start="0">x</p><p data-track-index="1" data-start="0">x</p><p data-track-index="1" data-start="0">x</p>',
    1,
  ],
  [
    'clips of two compositions',
    `${clips('data-start="0"')}\n<div data-composition-id="in" data-start="0">${clips('data-start="0"')}</div>`,
    0,
  ],
])('overlap: %s', async (_, content, count) => {
  expect(await overlapsIn(content)).toHaveLength(count)
})

test('overlap: media of unknown length is not judged, a host is as long as what it embeds', async () => {
  const video = '<video src="a.mp4" data-track-index="1" data-start="0"></video>'
  expect(await overlapsIn(`${video}\n${clips('data-start="3"')}`, { 'a.mp4': '' })).toEqual([])
  const host = '<div data-composition-src="a.html" data-track-index="1" data-start="0"></div>'
  const nested = {
    'a.html': '<template><div data-composition-id="a" data-duration="2"><p>x</p></div></template>',
  }
  expect(await overlapsIn(`${host}\n${clips('data-start="2"')}`, nested)).toEqual([])
  expect(await overlapsIn(`${host}\n${clips('data-start="1.5"')}`, nested)).toHaveLength(1)
})

test.each([
  ['a style attribute', `<p style="font-family: 'Lost One', Inter">x</p>`, ['Lost One']],
  ['an attribute of a drawing', '<svg><text font-family="Lost">x</text></svg>', ['Lost']],
  [
    'a shorthand',
    '<style>p { font: italic bold 1.2em "Lost Two", Gone, sans-serif }</style>',
    ['Gone', 'Lost Two'],
  ],
  ['a second use', '<style>p { font-family: Lost }\ni { font-family: LOST }</style>', ['Lost']],
  [
    'keywords and variables',
    '<style>p { font-family: inherit; font: caption } i { font-family: var(--x), inter }</style>',
    [],
  ],
  [
    'a script that loads it',
    '<style>p { font-family: Mine }</style><script>new FontFace("Mine", "url(m.woff2)")</script>',
    [],
  ],
  [
    'a link that brings it',
    '<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Open+Work:wght@700&family=B"><style>p { font-family: Open Work, B }</style>',
    [],
  ],
  [
    'an import that brings it',
    '<style>@import url("https://fonts.googleapis.com/css?family=A|B:700");\np { font-family: A, B }</style>',
    [],
  ],
])('fonts: %s', async (_, content, families) => {
  const messages = (await lint({ 'index.html': root(content) })).map(({ message }) => message)
  expect(messages).toEqual(
    families.map((name) => `The font family "${name}" is neither bundled nor declared.`),
  )
})

test('without a list of bundled families no font is reported', async () => {
  expect(await lint({ 'index.html': root('<p style="font-family: Lost">x</p>') }, {})).toEqual([])
})

test('a background of the page matters only where the format carries alpha, and only in the entry', async () => {
  const style = '<style>html, body { background-color: red } body { background: transparent }</style>'
  const files = {
    'index.html': `<body style="background: blue">\n${style}${root(card('a.html'))}</body>`,
    'a.html': `<body>${style}<p>x</p></body>`,
  }
  expect(brief(await lint(files))).toEqual(['index.html:1 page-background', 'index.html:2 page-background'])
  expect(await lint(files, { alpha: false })).toEqual([])
})

const script = (code: string) => `<p id="box">x</p><script>\n${code}\n</script>`
const severities = async (code: string, more?: string) =>
  (await lint({ 'index.html': root(script(code), more) })).map(({ code, severity }) => `${severity} ${code}`)

test.each([
  [
    'one under another id, which serves the root',
    'window.__timelines = { ...window.__timelines, x: t }',
    ['warning'],
  ],
  ['one of two', 'var t, l = window.__timelines; __timelines["main"] = t; __timelines.x = t', ['error']],
  ['a key that only a run can tell', 'const id = "x", t = 1; window.__timelines[id] = t', []],
  ['an array', 'window.__timelines = []; window.__timelines.push(1)', []],
  [
    'one for a nested composition',
    'window.__timelines = window.__timelines || { "main": 1, "main2": 2 }',
    ['error'],
  ],
])('timelines: %s', async (_, code, found) => {
  expect(await severities(code)).toEqual(found.map((severity) => `${severity} lint/unknown-timeline`))
})

test('a timeline of an embedded file may have the id of its root or of its host', async () => {
  const nested = (id: string) =>
    `<template><div data-composition-id="own"><p>x</p>${`<script>__timelines["${id}"] = 1</script>`}</div></template>`
  for (const [id, count] of [
    ['own', 0],
    ['given', 0],
    ['main', 1],
  ] as const) {
    const host = '<div data-composition-id="given" data-composition-src="a.html" data-start="0"></div>'
    expect(await lint({ 'index.html': root(host), 'a.html': nested(id) })).toHaveLength(count)
  }
})

test('an endless repeat is an error where nothing else says how long the composition is', async () => {
  const code =
    'gsap.to("#box", { repeat: -1 }); tl.repeat(-1); tl.to("#box", { "repeat": Infinity }); "-".repeat(3)'
  expect(await severities(code)).toEqual(Array(3).fill('warning lint/endless-repeat'))
  expect(await severities(code, '')).toEqual(Array(3).fill('error lint/endless-repeat'))
})

test('calls to the network are found, reads of the project are not', async () => {
  const calls = [
    'window.fetch(url)',
    'new XMLHttpRequest()',
    'new window.WebSocket("ws://x")',
    'new EventSource("/x")',
    'navigator.sendBeacon("/x")',
  ]
  expect(await severities(calls.join('\n'))).toEqual(calls.map(() => 'warning lint/network-call'))
  expect(await severities(`fetch("data.json"); fetch(\`data/\${n}.json\`); cache.fetch(1)`)).toEqual([])
})

test('modules are read as modules, data blocks not at all', async () => {
  const content =
    '<script type="module">import "./a.js"; await 1</script><script type="application/json">{ a: }</script>'
  expect(await lint({ 'index.html': root(content) })).toEqual([])
})

test('a broken style sheet is an error where it is taken apart', async () => {
  const style = '<style>\np { color: red\n</style>'
  const findings = await lint({
    'index.html': root(`${style}${card('a.html')}`),
    'a.html': `<body>${style}x</body>`,
  })
  expect(findings.map(({ file, severity }) => [file, severity])).toEqual([
    ['index.html', 'warning'],
    ['a.html', 'error'],
  ])
})

test('large media inside style sheets and attributes is told without its content', async () => {
  const data = `data:font/woff2;base64,${'A'.repeat(5000)}`
  const findings = await lint({
    'index.html': root(
      `<style>@font-face { font-family: F; src: url(${data}) }</style>\n<img src="${data.replace('font/woff2', 'image/png')}">`,
    ),
  })
  expect(brief(findings)).toEqual(['index.html:2 inlined-media', 'index.html:3 inlined-media'])
  expect(findings[0]?.message).toBe('data:font/woff2;base64,… has 5023 characters of media inside the text.')
})

test('values for a composition of the same text are checked, those for a missing file are not', async () => {
  const declared = `data-composition-variables='[{"id":"n","type":"number","label":"N","default":1}]'`
  const inline = `<div data-composition-id="in" data-start="0" ${declared} data-variable-values='{"n":"two"}'></div>`
  const missing = `<div data-composition-src="gone.html" data-start="0" data-variable-values='{"n":1}'></div>`
  const findings = await lint({ 'index.html': root(`${inline}\n${missing}`) })
  expect(brief(findings)).toEqual(['index.html:2 host-values', 'index.html:3 nested-missing'])
  expect(findings[0]?.message).toBe('variable "n" expected a finite number, got string')
})

test('a file made to be embedded says what it lacks as an entry', async () => {
  const [finding] = await lint({ 'index.html': '<template><div data-composition-id="a"></div></template>' })
  expect(finding).toMatchObject({
    code: 'lint/no-root',
    hint: expect.stringContaining('data-composition-src'),
  })
})

test('an entry that cannot be read is the error that a render ends with', async () => {
  const dir = await makeProject({ 'other.html': root('') })
  await expect(lintComposition(dir, 'index.html')).rejects.toMatchObject({ code: 'VID_ENTRY_MISSING' })
  await expect(lintComposition(dir, '../x.html')).rejects.toMatchObject({ code: 'VID_ENTRY_OUTSIDE' })
  await writeFile(join(dir, 'index.html'), root(card('other.html')))
  await expect(lintComposition(dir, 'index.html', { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
})
