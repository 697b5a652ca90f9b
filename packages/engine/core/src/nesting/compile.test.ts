import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { parse } from 'parse5'
import { afterEach, describe, expect, it } from 'vitest'
import { compileComposition, compileEntry, parseComposition, resolveStarts } from '../index.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

const project = async (files: Record<string, string>) => {
  const dir = await mkdtemp(join(tmpdir(), 'vid-core-'))
  folders.push(dir)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  return dir
}
const stage = (inner: string, head = '') =>
  `<!doctype html><html><head>${head}</head><body><div id="stage" data-composition-id="main" data-width="64" data-height="32" data-duration="5">${inner}</div></body></html>`
const host = (src: string, more = '') => `<div data-composition-src="${src}" data-start="0" ${more}></div>`
const compile = async (files: Record<string, string>, entry = 'index.html') =>
  compileComposition(await project(files), { file: entry, html: files[entry] ?? '' })
const title = '[{"id":"title","type":"string","label":"Title","default":"Hi"}]'

describe('embedding', () => {
  it('leaves a composition without embedded files unchanged', async () => {
    const html = stage('<p>alone</p>')
    expect(await compile({ 'index.html': html })).toEqual({ html, files: [], issues: [] })
  })

  it('moves the content of a template into its host', async () => {
    const { html, files } = await compile({
      'index.html': stage(host('scenes/intro.html', 'id="one"')),
      'scenes/intro.html':
        '<template><div id="intro" data-composition-id="intro" data-root="true" data-duration="3"><p>hello</p></div></template>',
    })
    expect(html).toContain(
      'data-vid-instance="i1" data-duration="3"><div id="intro" data-composition-id="intro" data-duration="3"><p>hello</p></div></div>',
    )
    expect(files).toEqual(['scenes/intro.html'])
    expect(parseComposition(html, { file: 'index.html' })).toMatchObject({ id: 'main', duration: 5 })
  })

  it('uses the body of a document, with the styles and scripts of its head', async () => {
    const { html } = await compile({
      'index.html': stage(host('intro.html')),
      'intro.html':
        '<html><head><title>no</title><style>.a{color:red}</style><script>one()</script></head><body class="dark" style="color:blue"><div data-composition-id="intro"><p class="a">hello</p></div><script>two()</script></body></html>',
    })
    expect(html).not.toContain('<title>')
    expect(html).toMatch(
      /<div [^>]*data-vid-instance="i1" class="dark" style="color:blue;"><div data-composition-id="intro"><p class="a">hello<\/p><\/div><\/div>/,
    )
    expect(html).toMatch(/<style>[^<]*\.a[^<]*<\/style><\/head>/)
    expect(html.indexOf('one()')).toBeLessThan(html.indexOf('two()'))
  })

  it('keeps a root that is <body> as a box inside the host', async () => {
    const { html } = await compile({
      'index.html': stage(host('intro.html')),
      'intro.html': '<body id="intro" data-composition-id="intro" data-width="64" data-height="32"><p>hello</p></body>',
    })
    expect(html).toContain('<div id="intro" data-composition-id="intro" data-width="64" data-height="32"><p>hello</p>')
  })

  it('creates one instance for each use of the same file, at any depth', async () => {
    const { html, files } = await compile({
      'index.html': stage(host('a.html') + host('a.html')),
      'a.html': `<template><div data-composition-id="a">${host('b.html')}</div></template>`,
      'b.html': '<template><div data-composition-id="b">leaf</div></template>',
    })
    expect(html.match(/data-vid-instance="i\d"/g)).toEqual([1, 2, 3, 4].map((n) => `data-vid-instance="i${n}"`))
    expect(html.match(/leaf/g)).toHaveLength(2)
    expect(files).toEqual(['a.html', 'b.html'])
  })

  it('lets a start refer to a host whose duration is in its file', async () => {
    const { html } = await compile({
      'index.html': stage(`${host('a.html', 'id="first"')}<p data-start="first + 1" data-duration="1"></p>`),
      'a.html': '<template><div data-composition-id="a" data-duration="2">a</div></template>',
    })
    const { scopes } = parseComposition(html, { file: 'index.html' })
    expect(resolveStarts(scopes[0]?.clips ?? [], 'index.html').map(({ start }) => start)).toEqual([0, 3])
  })

  it('resolves paths from the project folder first, then from the referring file', async () => {
    const { html } = await compile({
      'index.html': stage(host('scenes/a.html')),
      'scenes/a.html': `<template>${host('b.html')}${host('c.html')}</template>`,
      'b.html': '<template>outer b</template>',
      'scenes/b.html': '<template>inner b</template>',
      'scenes/c.html': '<template>inner c</template>',
    })
    expect(html).toContain('outer b')
    expect(html).toContain('inner c')
    expect(html).not.toContain('inner b')
  })
})

describe('a file with a template, wherever its composition is named,', () => {
  const content = '<div data-composition-id="card" data-width="64" data-height="32"><p>hello</p></div>'
  const documentOf = (html: string, body: string, template: string, inside: string) =>
    `<!doctype html><html ${html}><head><title>no</title></head><body ${body}><template ${template}>${inside}</template></body></html>`
  const id = 'data-composition-id="card"'

  it.each([
    ['on <html>', documentOf(id, '', '', content)],
    ['on <html>, with a size', documentOf(`${id} data-width="9" data-height="9"`, '', '', content)],
    ['on <body>', documentOf('', id, '', content)],
    ['on the template', documentOf('', '', id, content)],
    ['inside it', documentOf('', '', '', content)],
  ])('shows the content of it: %s', async (_title, card) => {
    const { html } = await compile({ 'index.html': stage(host('card.html')), 'card.html': card })
    expect(html).toContain(`data-vid-instance="i1">${content}</div>`)
    expect(html).not.toContain('<template')
  })

  it.each([
    ['<html>', documentOf(id, '', '', '<p>hello</p>')],
    ['<body>', documentOf('', id, '', '<p>hello</p>')],
    ['the template', documentOf('', '', id, '<p>hello</p>')],
  ])('shows it in a box with the name, where only %s has one', async (_title, card) => {
    const { html } = await compile({ 'index.html': stage(host('card.html')), 'card.html': card })
    expect(html).toMatch(/<div data-composition-id="card" style="width:100%;height:100%;"><p>hello<\/p><\/div>/)
  })

  it('takes length and variables from the template', async () => {
    const { html } = await compile({
      'index.html': stage(host('card.html')),
      'card.html': `<template ${id} data-duration="3" data-composition-variables='${title}'><p>hello</p></template>`,
    })
    expect(html).toContain('data-duration="3"')
    expect(html).toContain('data-vid-variables="{&quot;title&quot;:&quot;Hi&quot;}"')
  })

  it('that only scripts use is no part of a document', async () => {
    const card = `<body ${id}><p>hello</p><template><b>row</b></template></body>`
    const { html } = await compile({ 'index.html': stage(host('card.html')), 'card.html': card })
    expect(html).toContain('<p>hello</p><template><b>row</b></template>')
  })
})

describe('a root that is not the first element with a name', () => {
  const root = '<div id="stage" data-composition-id="main" data-width="64" data-height="32"></div>'

  it.each([
    ['<html>', `<html data-composition-id="film"><head></head><body>${root}</body></html>`],
    ['a canvas', `<html><head></head><body><canvas data-composition-id="film"></canvas>${root}</body></html>`],
  ])('is marked for the page: after %s', async (_title, html) => {
    const compiled = await compile({ 'index.html': html })
    expect(compiled.html).toContain(
      '<div id="stage" data-composition-id="main" data-width="64" data-height="32" data-root="true">',
    )
  })
})

describe('an embedded file as the entry', () => {
  const scene = `<template>
    <div data-composition-id="a"><img src="shared.png"><img src="own.png"></div>
    <style>.bg { background: url(shared.png) }</style>
    <script>\nthrow new Error('here')</script></template>`

  it('shows the content of its template, with its paths seen from its own folder', async () => {
    const { html } = await compile({ 'scenes/a.html': scene, 'shared.png': '', 'scenes/own.png': '' }, 'scenes/a.html')
    expect(html).not.toContain('<template')
    expect(html).toContain('<body style="margin:0">')
    expect(html).toContain('src="../shared.png"')
    expect(html).toContain('url("../shared.png")')
    expect(html).toContain('src="own.png"')
    expect(html).toContain('sourceURL=scenes/a.html')
  })

  it('is left as it is when its root stands outside of its templates', async () => {
    const html = stage('<template><p data-composition-id="other"></p></template>')
    expect(await compile({ 'index.html': html })).toMatchObject({ html })
  })

  it('may embed others', async () => {
    const { html } = await compile(
      {
        'scenes/a.html': `<template><div data-composition-id="a">${host('b.html')}</div></template>`,
        'scenes/b.html': '<template>leaf</template>',
      },
      'scenes/a.html',
    )
    expect(html).toMatch(/<div data-composition-id="a"><div [^>]*data-vid-instance="i1">leaf/)
  })
})

describe('embedding reports', () => {
  const refusal = (files: Record<string, string>) =>
    compile(files).then(
      () => ({ code: 'nothing', message: '' }),
      (error: { code: string; message: string }) => error,
    )

  it('a missing file, naming host, line and what was tried', async () => {
    const error = await refusal({ 'index.html': stage(`\n${host('scenes/none.html', 'id="x"')}`) })
    expect(error).toMatchObject({
      code: 'VID_NESTED_MISSING',
      message: expect.stringContaining('"scenes/none.html" of <div id="x"> (index.html:2)'),
    })
  })

  it.each(['', '../outside.html', '/../../etc/hostname', 'https://example.com/a.html'])(
    'a source like "%s"',
    async (src) => {
      expect(await refusal({ 'index.html': stage(host(src)) })).toMatchObject({ code: 'VID_NESTED_MISSING' })
    },
  )

  it('a link that leaves the project', async () => {
    const outer = await project({ 'secret.html': '<template>secret</template>', 'project/index.html': '' })
    await symlink(join(outer, 'secret.html'), join(outer, 'project/leak.html'))
    const entry = { file: 'index.html', html: stage(host('leak.html')) }
    await expect(compileComposition(join(outer, 'project'), entry)).rejects.toMatchObject({
      code: 'VID_NESTED_MISSING',
    })
  })

  it.each([
    '.env',
    '%2eenv',
    './.env',
    '/.env',
    'scenes/../.env',
    '.git/config',
    'scenes\\..\\.env',
    'shown/config',
    'alias.html',
  ])('a hidden file named as "%s", also as a style sheet or script of an embedded file', async (src) => {
    const text = '<template>SECRET</template>'
    const wrapped = `<template><p>x</p><link rel="stylesheet" href="${src}"><script src="${src}"></script></template>`
    const dir = await project({ '.env': text, '.git/config': text, 'scenes/a.html': wrapped })
    await symlink(join(dir, '.git'), join(dir, 'shown'))
    await symlink(join(dir, '.env'), join(dir, 'alias.html'))
    const compiled = (name: string) => compileComposition(dir, { file: 'index.html', html: stage(host(name)) })
    await expect(compiled(src)).rejects.toMatchObject({ code: 'VID_NESTED_MISSING' })
    expect(await compiled('scenes/a.html')).toMatchObject({
      html: expect.not.stringContaining('SECRET'),
      files: ['scenes/a.html'],
    })
  })

  it.each(['', ' \n', '<template></template>', '<html><body> </body></html>'])(
    'a file holding only "%s"',
    async (text) => {
      expect(await refusal({ 'index.html': stage(host('a.html')), 'a.html': text })).toMatchObject({
        code: 'VID_NESTED_EMPTY',
      })
    },
  )

  it('a cycle, with its files', async () => {
    const error = await refusal({
      'index.html': stage(host('a.html')),
      'a.html': `<template>${host('b.html')}</template>`,
      'b.html': `<template>${host('a.html')}</template>`,
    })
    expect(error).toMatchObject({
      code: 'VID_NESTED_CYCLE',
      message: expect.stringContaining('a.html → b.html → a.html'),
    })
  })

  it('more than 20 levels, and accepts 20', async () => {
    const levels = (count: number) => ({
      'index.html': stage(host('1.html')),
      ...Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          `${i + 1}.html`,
          `<template>${i + 1 < count ? host(`${i + 2}.html`) : 'bottom'}</template>`,
        ]),
      ),
    })
    expect((await compile(levels(20))).html).toContain('bottom')
    expect(await refusal(levels(21))).toMatchObject({ code: 'VID_NESTED_TOO_DEEP' })
  })

  it('a number of instances that grows without limit', async () => {
    const twice = (n: number) => host(`${n}.html`) + host(`${n}.html`)
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`${i + 1}.html`, `<template>${i < 11 ? twice(i + 2) : 'x'}</template>`]),
    )
    expect(await refusal({ 'index.html': stage(twice(1)), ...files })).toMatchObject({
      code: 'VID_NESTED_TOO_MANY',
    })
  })

  it('a start that cannot be resolved inside an embedded file, naming that file', async () => {
    const error = await refusal({
      'index.html': stage(host('a.html')),
      'a.html': '<template><div data-composition-id="a">\n<p id="p" data-start="ghost"></p></div></template>',
    })
    expect(error).toMatchObject({
      code: 'VID_COMPOSITION_BAD_START',
      message: expect.stringContaining('<p id="p"> (a.html:2)'),
    })
  })

  it('a broken style sheet, naming file and line', async () => {
    const error = await refusal({
      'index.html': stage(host('a.html')),
      'a.html': '<template>\n<style>\n.a {</style><p></p></template>',
    })
    expect(error).toMatchObject({ code: 'VID_NESTED_BAD_CSS', message: expect.stringContaining('a.html:3') })
  })
})

describe('paths of an embedded file', () => {
  it('are rewritten so that they have the same target from the entry', async () => {
    const { html } = await compile({
      'index.html': stage(host('scenes/a.html')),
      'scenes/a.html': `<template>
        <style>.bg { background: url(bg.png) } @font-face { font-family: F; src: url("../fonts/f.woff2#x") format("woff2") }</style>
        <img src="logo.png?v=1" srcset="s.png 1x, ../l.png 2x"><img src="shared.png"><video src="/abs.mp4" poster="https://x.test/p.png"></video>
        <i style="background:url('i.png')"></i><svg><use href="#mark"/></svg></template>`,
      'shared.png': '',
    })
    for (const part of [
      'url("scenes/bg.png")',
      'url("fonts/f.woff2#x") format("woff2")',
      'src="scenes/logo.png?v=1"',
      'srcset="scenes/s.png 1x, l.png 2x"',
      'src="shared.png"',
      'src="/abs.mp4"',
      'poster="https://x.test/p.png"',
      "url('scenes/i.png')",
      'href="#mark"',
    ])
      expect(html).toContain(part)
  })

  it('are rewritten in the style of a body that becomes the host', async () => {
    const { html } = await compile({
      'index.html': stage(host('scenes/a.html')),
      'scenes/a.html': '<body style="background:url(bg.png)"><p></p></body>',
    })
    expect(html).toContain('url(&quot;scenes/bg.png&quot;)')
  })

  it('are relative to an entry that is in a folder itself', async () => {
    const { html } = await compile(
      {
        'video/index.html': stage(host('a.html')),
        'video/a.html': '<template><img src="x/../logo.png"><img src="../top.png"></template>',
      },
      'video/index.html',
    )
    expect(html).toContain('src="logo.png"')
    expect(html).toContain('src="../top.png"')
  })

  it('inline linked and imported style sheets, and leave remote ones to the page', async () => {
    const { html, files } = await compile({
      'index.html': stage(host('scenes/a.html')),
      'scenes/a.html':
        '<html><head><link rel="stylesheet" href="css/a.css"><link rel="stylesheet" href="https://x.test/f.css"></head><body><p></p></body></html>',
      'scenes/css/a.css': '@import "b.css" screen; @import url(https://x.test/g.css); .a { background: url(a.png) }',
      'scenes/css/b.css': '.b { background: url(../b.png) }',
    })
    expect(html).not.toContain('<link')
    expect(html).toContain('url("scenes/css/a.png")')
    expect(html).toMatch(/@media screen\s*{[^}]*\.b[^}]*url\("scenes\/b\.png"\)/)
    for (const name of ['f.css', 'g.css']) expect(html).toContain(`@import url("https://x.test/${name}")`)
    expect(files).toEqual(['scenes/a.html', 'scenes/css/a.css', 'scenes/css/b.css'])
  })
})

describe('variables of an instance', () => {
  const files = (values: string) => ({
    'index.html': stage(host('a.html', `id="h" data-variable-values='${values}'`) + host('a.html')),
    'a.html': `<html data-composition-variables='${title}'><body><div data-composition-id="a">a</div></body></html>`,
  })
  const valuesIn = (html: string) =>
    [...html.matchAll(/data-vid-variables="([^"]*)"/g)].map(([, json]) =>
      JSON.parse((json ?? '').replaceAll('&quot;', '"')),
    )

  it('values of a host that nest too deeply are refused with their place, not run out of stack', async () => {
    const deep = `{"title":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    await expect(compile(files(deep))).rejects.toMatchObject({
      code: 'VID_REQUEST_INVALID',
      message: expect.stringMatching(/index\.html:\d+\) nest deeper than 500 levels/),
    })
  })

  it('are the values of its host merged over its own defaults', async () => {
    const { html, issues } = await compile(files('{"title":"Bye"}'))
    expect(valuesIn(html)).toEqual([{ title: 'Bye' }, { title: 'Hi' }])
    expect(issues).toEqual([])
  })

  it('that do not fit are reported as issues of the host', async () => {
    const { html, issues } = await compile(files('{"title":5,"extra":1}'))
    expect(valuesIn(html)[0]).toEqual({ title: 5, extra: 1 })
    expect(issues).toMatchObject([
      { element: '<div id="h">', file: 'index.html', issue: { kind: 'type-mismatch', variableId: 'title' } },
      { element: '<div id="h">', issue: { kind: 'undeclared', variableId: 'extra' } },
    ])
  })

  it('that are not a JSON object leave the defaults', async () => {
    expect(valuesIn((await compile(files('{oops'))).html)[0]).toEqual({ title: 'Hi' })
  })

  it('are also available to a composition nested in the same text', async () => {
    const inline = `<div data-composition-id="in" data-composition-variables='${title}' data-variable-values='{"title":"In"}'></div>`
    expect(valuesIn((await compile({ 'index.html': stage(inline) })).html)).toEqual([{ title: 'In' }])
  })
})

describe('scripts of an instance', () => {
  const scriptsOf = (html: string) =>
    [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)].map(([, attributes, code]) => ({
      attributes: attributes ?? '',
      code: code ?? '',
    }))

  it("run in a function after the page's scripts, with the globals of their instance", async () => {
    const { html } = await compile({
      'index.html': stage(`${host('a.html')}${host('a.html')}<script>log.push('page')</script>`),
      'a.html':
        '<template><script>"use strict"; const gsap = 1; let once = 1; log.push([document, window.name, self === window, this === window])</script><p></p></template>',
    })
    const log: unknown[] = []
    const scope = (id: string) => ({ document: `document ${id}`, window: { name: id } })
    const context = { log, __vid: { __scope: scope } }
    for (const { code } of scriptsOf(html)) runInNewContext(code, context)
    expect(log).toEqual(['page', ['document i1', 'i1', true, true], ['document i2', 'i2', true, true]])
  })

  it('fail with the file and line where they were written', async () => {
    const { html } = await compile({
      'index.html': stage(`${host('a.html')}\n<script>\nthrow new Error('page')</script>`),
      'a.html': '<template>\n\n<p></p><script>\n  throw new Error("nested")</script></template>',
    })
    const places = scriptsOf(html).map(({ code }) => {
      let stack = ''
      try {
        runInNewContext(code, { __vid: { __scope: () => ({}) } })
      } catch (error) {
        stack = String((error as Error).stack)
      }
      return /(?:index|a)\.html:\d+/.exec(stack)?.[0]
    })
    expect(places).toEqual(['index.html:3', 'a.html:4'])
  })

  it('in separate files are scoped, and libraries are loaded once', async () => {
    const { html, files } = await compile({
      'index.html': stage(host('scenes/a.html') + host('scenes/a.html'), '<script src="lib/top.js"></script>'),
      'scenes/a.html':
        '<template><script src="../lib/top.js"></script><script src="https://x.test/gsap.js"></script><script src="own.js"></script><p></p></template>',
      'scenes/own.js': 'own("</script>")',
      'lib/top.js': '',
    })
    const scripts = scriptsOf(html)
    expect(scripts.map(({ attributes }) => attributes)).toEqual([
      ' src="lib/top.js"',
      ' src="https://x.test/gsap.js"',
      '',
      '',
    ])
    expect(scripts[2]?.code).toContain('__scope("i1")')
    expect(scripts[3]?.code).toContain('sourceURL=scenes/own.js')
    expect(scripts[3]?.code).toContain('own("<\\/script>")')
    expect(files).toEqual(['scenes/a.html', 'scenes/own.js'])
  })

  it('that are data stay in place', async () => {
    const data = '<script type="application/json">{"a":1}</script>'
    const { html } = await compile({
      'index.html': stage(host('a.html')),
      'a.html': `<template><p>x</p>${data}</template>`,
    })
    expect(html).toContain(`<p>x</p>${data}`)
  })

  it('that are modules are scoped too', async () => {
    const { html } = await compile({
      'index.html': stage(host('a.html')),
      'a.html': '<template><script type="module">import "x"; document.title</script><p></p></template>',
    })
    expect(scriptsOf(html)).toMatchObject([
      {
        attributes: ' type="module"',
        code: expect.stringContaining('globalThis.__vid.__scope("i1");import "x"'),
      },
    ])
  })
})

describe('names that are unique in a page', () => {
  const art = `<svg><defs><linearGradient id="grad"><stop/></linearGradient><path id="free"/></defs>
    <rect fill="url(#grad)" style="stroke:url('#grad')"/><use href="#grad"/><a href="#grad"/></svg>`
  const css = '#grad stop, #graded { top: 0 } .a { fill: url(#grad); color: #abc }'
  const scene = `<style>${css}</style><div data-composition-id="s">${art}</div>`

  it('stay unchanged where nothing else in the page uses them', async () => {
    const { html } = await compile({ 'index.html': stage(host('s.html')), 's.html': scene })
    expect(html).not.toContain('data-vid-id')
    expect(html).toContain(`<rect fill="url(#grad)" style="stroke:url('#grad')"></rect><use href="#grad">`)
    expect(html).toContain('fill: url("#grad")')
  })

  it('of a nested root change when the page has an element of that id, whose rules are not for it', async () => {
    const child =
      '<style>#root{color:red}#root.a{top:0}</style><div id="root" class="a" data-composition-id="c"><p id="p"></p></div>'
    const { html } = await compile({
      'index.html': stage(`<p id="p"></p>${host('c.html')}`, '<style>#root{background:red}</style>').replace(
        '"stage"',
        '"root"',
      ),
      'c.html': `<template>${child}</template>`,
    })
    expect(html).toContain('<div class="a" data-composition-id="c" id="root-i1" data-vid-id="root">')
    expect(html).toContain(':is(#root,[data-vid-id="root"]).a')
    expect(html).toContain('<style>#root{background:red}</style>')
    expect(html.match(/id="p"/g)).toHaveLength(2)
  })

  it('change in every later instance that refers to them, together with the references', async () => {
    const { html } = await compile({
      'index.html': stage(host('s.html') + host('s.html')),
      's.html': scene,
    })
    expect(html.match(/<linearGradient [^>]*>/g)).toEqual([
      '<linearGradient id="grad">',
      '<linearGradient id="grad-i2" data-vid-id="grad">',
    ])
    expect(html).toContain(
      `<rect fill="url(#grad-i2)" style="stroke:url('#grad-i2')"></rect><use href="#grad-i2"></use><a href="#grad-i2">`,
    )
    expect(html.match(/id="free"/g)).toHaveLength(2)
    expect(html).toMatch(/:is\(#grad,\[data-vid-id="grad"\]\) stop/)
    expect(html).toMatch(/#graded:where\(:not\(\[data-vid-instance="i2"\]/)
    expect(html).toMatch(/fill: url\("?#grad-i2"?\); color: #abc/)
  })

  it('of fonts differ between files with different fonts of the same name', async () => {
    const font = (file: string) =>
      `<style>@font-face{font-family:"My Face";src:url(${file})} p{font:bold 20px/1 My  Face,serif} b{font-family:'my face'!important;--f:"My Face"}</style>
      <p style="font-family: My Face; color: red">a</p><svg><text font-family="My Face"/></svg>`
    const { html } = await compile({
      'index.html': stage(host('a.html') + host('b.html') + host('a.html'), font('own.ttf')),
      'a.html': font('a.ttf'),
      'b.html': font('b.ttf'),
    })
    const names = [...html.matchAll(/My Face \([0-9a-f]{8}\)/g)].map(([name]) => name)
    expect(new Set(names).size).toBe(2)
    // In each instance: its face, three declarations, one inline style and one attribute.
    expect(names).toHaveLength(18)
    expect(html).toContain(`font:bold 20px/1 '${names[0]}',serif`)
    // Scripts still find the authored name, and the entry keeps it.
    expect(html.match(/font-family:"My Face"/g)).toHaveLength(4)
  })
})

it('is deterministic, and its text parses to the same tree again', async () => {
  const files = {
    'index.html': stage(host('a.html') + host('a.html')),
    'a.html': '<template><style>p{color:red}</style><div data-composition-id="a"><p>a</p></div></template>',
  }
  const { html } = await compile(files)
  expect((await compile(files)).html).toBe(html)
  expect(parse(html).childNodes).toHaveLength(2)
})

it('compiles the entry of a project to the text that its page gets', async () => {
  const files = { 'index.html': stage(host('a.html')), 'a.html': '<template><p>a</p></template>' }
  const dir = await project(files)
  const compiled = await compileEntry(dir, './index.html')
  expect(compiled).toEqual(await compileComposition(dir, { file: 'index.html', html: files['index.html'] }))
  await expect(compileEntry(dir, 'other.html')).rejects.toMatchObject({ code: 'VID_ENTRY_MISSING' })
})
