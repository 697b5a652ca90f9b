import { expect, test } from 'vitest'
import { convertHyperframes } from './index.ts'

const page = (html: string, body: string) =>
  `<!doctype html><html ${html}><body><div data-composition-id="main" data-width="64" data-height="36" data-duration="2">${body}</div></body></html>`

const declared = (...ids: readonly string[]) =>
  `data-composition-variables='${JSON.stringify(ids.map((id) => ({ id, type: 'string', label: id, default: 'x' })))}'`

const codesOf = (texts: Readonly<Record<string, string>>) =>
  convertHyperframes(texts).notes.map(({ code, file, line }) => `${code} ${file}:${line}`)

test('the function that reads the variables has the name of vid, also in scripts of their own', () => {
  const { texts, renames } = convertHyperframes({
    'index.html': page('', '<script>const { a } = window.__hyperframes.getVariables()</script>'),
    'main.js': 'const all = __hyperframes\n  ?.getVariables?.() ?? {}\nif (window.__hyperframes) run()',
  })
  expect(texts['index.html']).toContain('window.__vid.getVariables()')
  expect(texts['main.js']).toBe('const all = __vid\n  ?.getVariables?.() ?? {}\nif (window.__vid) run()')
  expect(renames).toHaveLength(3)
  expect(renames[2]).toEqual({ file: 'main.js', line: 3, from: '__hyperframes', to: '__vid' })
})

test('other functions of HyperFrames stay as they are and are reported', () => {
  const script = '\nwindow.__hyperframes.fitTextFontSize("A")\nwindow.__player.seek(2)\nhyperframesAnime.entries()'
  const { texts, notes } = convertHyperframes({ 'main.js': script })
  expect(texts['main.js']).toBe(script)
  expect(notes.map(({ line, message }) => [line, message])).toEqual([
    [2, 'vid has no __hyperframes.fitTextFontSize.'],
    [3, 'vid has no __player.'],
    [4, 'vid has no hyperframesAnime.'],
  ])
})

test('names that vid has too are not reported', () => {
  const script = 'addEventListener("hf-seek", f); __hf = {}; __hfLottie = []; __hfAnime = []; use(__hfThreeTime)'
  expect(codesOf({ 'main.js': script })).toEqual([])
  expect(codesOf({ 'main.js': '__hfTypegpuTime' })).toEqual(['import/name main.js:1'])
})

test('a variable in CSS has the name of its id', () => {
  const { texts, notes } = convertHyperframes({
    'index.html': page(declared('accentColor', 'swap_at'), '<p style="color: var(--hf-var-accentcolor)">x</p>'),
    'theme.css': 'p { margin: var(--hf-var-swap-at) var(--hf-var-other) }',
  })
  expect(texts['index.html']).toContain('color: var(--accentColor)')
  expect(texts['theme.css']).toBe('p { margin: var(--swap_at) var(--hf-var-other) }')
  expect(notes).toMatchObject([{ file: 'theme.css', message: '--hf-var-other means no variable, or several.' }])
})

test('of two variables with one name in CSS, the one of the same file is meant', () => {
  const { texts, notes } = convertHyperframes({
    'a.html': page(declared('Tint'), '<p style="color: var(--hf-var-tint)">a</p>'),
    'b.html': page(declared('tint'), '<p style="color: var(--hf-var-tint)">b</p>'),
    'c.css': 'p { color: var(--hf-var-tint) }',
  })
  expect(texts['a.html']).toContain('var(--Tint)')
  expect(texts['b.html']).toContain('var(--tint)')
  expect(notes.map(({ file }) => file)).toEqual(['c.css'])
})

test('fonts and images are variables of text, and one that is an object is reported', () => {
  const declarations = [
    { id: 'face', type: 'font', label: 'Face', default: 'Inter' },
    { id: 'logo', type: 'image', label: 'Logo', default: { url: 'a.png' } },
  ]
  const json = JSON.stringify(declarations)
  for (const attribute of [`'${json}'`, `"${json.replaceAll('"', '&quot;')}"`]) {
    const { texts, notes } = convertHyperframes({
      'index.html': page(`data-composition-variables=${attribute}`, ''),
    })
    expect(texts['index.html']).not.toMatch(/font|image/)
    expect(notes).toMatchObject([{ code: 'import/variable', message: expect.stringContaining('"logo"') }])
  }
})

test('a colour of the page that a variable of the same name would replace is reported', () => {
  const html = page(declared('accent'), '<style>\n:root { --accent: red }</style>')
  expect(codesOf({ 'index.html': html })).toEqual(['import/theme index.html:2'])
  expect(codesOf({ 'index.html': html.replace('--accent', '--accent-soft') })).toEqual([])
})

test('what is to do in several places is said once, with their number', () => {
  const html = page(declared('accent'), '<style>\n:root { --accent: red }</style>')
  const { notes } = convertHyperframes({
    'index.html': html,
    'a.css': ':root { --accent: red }',
    'b.css': 'p { --accent: 0 }',
  })
  expect(notes).toMatchObject([{ file: 'index.html', message: expect.stringMatching(/ Also in 2 more places\.$/) }])
})

test.each([
  '<audio src="a.mp3" data-start="0" data-automation="{}"></audio>',
  '<div data-composition-src="part.html" data-start="0" data-playback-rate="2"></div>',
  '<video src="a.mp4" data-start="0" data-media-start="1" data-playback-start="2"></video>',
  '<p data-hf-studio-path-offset="1">x</p>',
])('what vid does not do is reported: %s', (body) => {
  expect(codesOf({ 'index.html': page('', `\n${body}`) })).toEqual(['import/attribute index.html:2'])
})

test('fades of a sound mean the same, and are not reported', () => {
  const audio = '<audio src="a.mp3" data-start="0" data-fade-in="0.5" data-fade-out="1"></audio>'
  expect(codesOf({ 'index.html': page('', `\n${audio}`) })).toEqual([])
})

test('a colour grading that vid does not have is reported, and one that it has is not', () => {
  const graded = (json: string) => codesOf({ 'index.html': page('', `<img data-color-grading='${json}'>`) })
  expect(graded('{ "preset": "clean-studio", "intensity": 0.5 }')).toEqual([])
  expect(graded('{ "preset": "$look" }')).toEqual([])
  expect(graded('{ "preset": "bleach", "effects": {} }')).toHaveLength(2)
})

test('what only the editor uses is not reported', () => {
  const body = '<p class="clip" data-hf-id="a" data-start="0" data-track-index="1" data-timeline-label="Title">x</p>'
  expect(codesOf({ 'index.html': page('', body) })).toEqual([])
})

test('sound of an embedded file that vid may take for sound of the whole video is reported', () => {
  const host = '<div data-composition-src="parts/a.html" data-start="2" data-duration="4"></div>'
  const part = (attributes: string) =>
    `<template><div data-composition-id="a"><audio src="a.mp3" ${attributes}></audio></div></template>`
  const inner = (html: string) =>
    part('data-start="0"').replace('<audio', '<div data-composition-id="inner"><audio').replace('</audio>', html)
  const notes = (attributes: string) => codesOf({ 'index.html': page('', host), 'parts/a.html': part(attributes) })
  expect(codesOf({ 'index.html': page('', host), 'parts/a.html': inner('</audio></div>') })).toEqual([
    'import/nested-media parts/a.html:1',
  ])
  expect(notes('data-start="0" data-duration="4"')).toEqual([])
  expect(notes('data-start="0" data-duration="1"')).toEqual([])
  const whole = 'data-duration="1" data-hf-media-start-basis="global"'
  expect(notes(`data-start="2" ${whole}`)).toEqual([])
  expect(notes(`data-start="8" ${whole}`)).toEqual(['import/nested-media parts/a.html:1'])
})

test('a video that begins with its embedded file follows an element of it, whatever the host says', () => {
  const host = '<div data-composition-src="parts/a.html" data-start="2" data-duration="4"></div>'
  const part = (start: string) =>
    `<template><div data-composition-id="a"><p id="begin">x</p>\n<video src="a.mp4" data-start="${start}"></video></div></template>`
  const converted = (start: string) =>
    convertHyperframes({ 'index.html': page('', host), 'parts/a.html': part(start) }).texts['parts/a.html']
  const mark = '<i id="begin-2" hidden data-start="0" data-duration="0"></i></div></template>'
  expect(converted('0')).toContain(`<video src="a.mp4" data-start="begin-2"></video>${mark}`)
  expect(converted('1.5')).toContain(`data-start="begin-2 + 1.5"></video>${mark}`)
  expect(converted('9')).toContain('data-start="9"')
})

const anime = (script: string, css = '') =>
  page('', `\n<style>${css}</style><i data-composition-id="part"></i><script>${script}</script>`)

test('a timeline of anime.js is registered as those of GSAP are, without moving a line', () => {
  const converted = (script: string) => convertHyperframes({ 'index.html': anime(script) })
  const { texts, notes } = converted(
    "window.hyperframesAnime.register(\n  'part',\n  tl,\n  { labels: { a: 1 } },\n);\nnext()",
  )
  expect(texts['index.html']).toContain("<script>window.__timelines['part'] =\n\n\n\n tl.init();\nnext()")
  expect(notes).toEqual([])
  expect(converted('hyperframesAnime?.register("main", own.tl)').texts['index.html']).toContain(
    '<script>window.__timelines["main"] = own.tl.init()</script>',
  )
  expect(converted('window.x && hyperframesAnime.register(id, tl)').texts['index.html']).toContain(
    'window.x && (window.__timelines[id] = tl.init())',
  )
})

test('a timeline of anime.js with the name of no composition follows the whole video', () => {
  const { texts } = convertHyperframes({ 'index.html': anime('hyperframesAnime.register("waves", tl)') })
  expect(texts['index.html']).toContain('<script>window.__hfAnime = [...(window.__hfAnime ?? []), tl.init()]</script>')
})

test.each(['const entry = hyperframesAnime.register("main", tl)', 'hyperframesAnime.get("main").labels'])(
  'other uses of the registry of anime.js are reported: %s',
  (script) => {
    const { texts, notes } = convertHyperframes({ 'index.html': anime(script) })
    expect(texts['index.html']).toContain(script)
    expect(notes).toMatchObject([{ code: 'import/name', message: 'vid has no hyperframesAnime.' }])
  },
)

test('a tween of anime.js that would begin at the transform of a style sheet is reported', () => {
  const script = 'tl.add("p", { scale: 1, duration: 400 }, 0);\nhyperframesAnime.register("main", tl)'
  const convert = (css: string, text = script) => convertHyperframes({ 'index.html': anime(text, css) })
  const css = 'p { transform: scale(0); rotate: 3deg }'
  expect(convert(css).notes).toMatchObject([
    { code: 'import/anime-start', line: 2, message: expect.stringContaining('`scale: 1`') },
  ])
  // Shown without it from the start, it would be seen too early.
  expect(convert(css).texts['index.html']).toContain('window.__timelines["main"] = tl</script>')
  expect(convert('p { color: red; text-transform: uppercase }').notes).toEqual([])
  expect(convert(css, script.replace('scale: 1', 'scale: [0, 1]')).notes).toEqual([])
})

test('a composition that a <meta> alone names belongs to the element that holds everything', () => {
  const html = (body: string) =>
    `<html><head>\n<meta data-composition-id="film" data-width="64" data-height="36"></head><body>${body}<script></script></body></html>`
  const { texts, notes } = convertHyperframes({
    'index.html': html('<main id="stage" data-width="32"><p data-start="0">x</p></main>'),
  })
  expect(texts['index.html']).toMatch(/<meta\s*>/)
  expect(texts['index.html']).toContain('<main data-composition-id="film" data-height="36" id="stage" data-width="32">')
  expect(notes).toEqual([])
  expect(codesOf({ 'index.html': html('<p>a</p><p>b</p>') })).toEqual(['import/root index.html:2'])
  expect(codesOf({ 'index.html': html('<video data-start="0"></video>') })).toEqual(['import/root index.html:2'])
})

test('a composition that a <meta> names once more has one root', () => {
  const meta = '<meta data-composition-id="main" data-width="64" data-height="36">'
  const { texts, notes } = convertHyperframes({ 'index.html': `${meta}${page('', '')}` })
  expect(texts['index.html']).toMatch(/^<meta\s*>/)
  expect(texts['index.html']).toContain('<div data-composition-id="main"')
  expect(notes).toEqual([])
})

test('the element inside a template is sized where <html> only names the composition', () => {
  const inside = '<template><div data-composition-id="card" data-width="64" data-height="36"></div></template>'
  const card = `<html data-composition-id="card"><body>${inside}</body></html>`
  const { texts } = convertHyperframes({ 'index.html': page('', ''), 'card.html': card })
  expect(texts['card.html']).toContain('<html data-composition-id="card">')
  expect(texts['card.html']).toContain('<div style="width: 64px; height: 36px" data-composition-id="card"')
})

test('the root of an embedded file has the size that it declares, also with a style of its own', () => {
  const part = (attributes: string) =>
    convertHyperframes({
      'part.html': `<template><div data-composition-id="a" data-width="64"${attributes}></div></template>`,
    }).texts['part.html']
  expect(part('')).toContain('<div style="width: 64px; height: 100%" data-composition-id="a"')
  expect(part(' data-height="36" style="color: red;"')).toContain('style="color: red; width: 64px; height: 36px"')
})

test('timed children of the root stay where the layout puts them', () => {
  const html = (body: string) => `<html><head></head><body><div data-composition-id="a">${body}</div></body></html>`
  const changed = (body: string) => convertHyperframes({ 'index.html': html(body) }).texts['index.html'] !== html(body)
  expect(changed('<p data-start="0">x</p>')).toBe(true)
  expect(changed('<div data-composition-id="b" data-composition-src="b.html" data-start="0"></div>')).toBe(true)
  expect(changed('<p>x</p>')).toBe(false)
  const marked = convertHyperframes({ 'index.html': `\ufeff${html('<p data-start="0">x</p>')}` }).texts['index.html']
  expect(marked).toMatch(/^\ufeff<html><head><style>/)
})

test('timed elements that a style sheet hides are shown while they are on', () => {
  const html = (css: string) =>
    `<html><head></head><body><div data-composition-id="a"><p class="clip" data-start="0">x</p></div><style>${css}</style></body></html>`
  const rules = (css: string, sheet = '') =>
    convertHyperframes({ 'index.html': html(css), 'clips.css': sheet }).renames.map(({ to }) => to)
  const shown = '<style>:is(#x#x#x, *)[data-start] { visibility: visible }</style>'
  expect(rules('.clip { visibility: hidden }')).toContain(shown)
  expect(rules('', '.clip { visibility:hidden }')).toContain(shown)
  expect(rules('.clip { backface-visibility: hidden }')).not.toContain(shown)
})

test('every line stays where it is', () => {
  const text = page(`\n${declared('a')}\n`, '\n<script>\n__hyperframes.getVariables()\n</script>\n')
  const { texts } = convertHyperframes({ 'index.html': text })
  expect(texts['index.html']?.split('\n')).toHaveLength(text.split('\n').length)
})

test('the frame rate of the root is known', () => {
  expect(convertHyperframes({ 'index.html': page('', '').replace('data-width', 'data-fps="60" data-width') }).fps).toBe(
    '60',
  )
  expect(convertHyperframes({ 'index.html': page('', '') }).fps).toBe(null)
})

test('a name is reported once in a file, and not where the project defines it', () => {
  const texts = {
    'a.js': '__hfScene()\n__hfScene()\n__hfDraw()',
    'b.js': 'window.__hfDraw = () => {}',
  }
  expect(codesOf(texts)).toEqual(['import/name a.js:1'])
})

test('a blank that init fills in is named, with what to write', () => {
  const { notes } = convertHyperframes({
    'index.html': page('', '<p data-duration="__VIDEO_DURATION__"></p>'),
  })
  expect(notes).toMatchObject([
    { code: 'import/blank', message: '__VIDEO_DURATION__ is a blank that hyperframes init fills in.' },
  ])
})
