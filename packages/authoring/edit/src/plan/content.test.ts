import { expect, test } from 'vitest'
import { changedLines, edited, page } from '../fixtures/project.ts'

const title = (text: string, rest = '') => `      <h1 id="title"${rest}>${text}</h1>`

const come = async (html: string, operation: unknown, files = {}) => {
  const result = await edited(html, [operation], files)
  return { ...result, lines: changedLines(html, result.html).come }
}

test.each([
  ['Good <b> & &copy; day', 'Good &lt;b> & &amp;copy; day'],
  ['', ''],
  ['{{name}} — “quotes”', '{{name}} — “quotes”'],
])('text "%s" is written as "%s"', async (text, written) => {
  const { lines } = await come(page(title('Hello')), { op: 'text', target: '#title', text })
  expect(lines).toEqual([`<h1 id="title">${written}</h1>`])
})

test('spaces around a text stay, and line ends are those of its breaks', async () => {
  const { html } = await come(page(title('\n        One<br/>Two\n      ')), {
    op: 'text',
    target: '#title',
    text: 'A\nB\nC',
  })
  expect(html).toContain('<h1 id="title">\n        A<br/>B<br/>C\n      </h1>')
})

test('the text of an element in SVG is changed like any other', async () => {
  const { html } = await come(page('<svg><text id="label" x="1">Old</text></svg>'), {
    op: 'text',
    target: '#label',
    text: 'New',
  })
  expect(html).toContain('<svg><text id="label" x="1">New</text></svg>')
})

const declared = ` data-composition-variables='[{ "id": "name", "type": "string", "label": "N", "default": "Ada" }, {"id":"size","type":"number","label":"S","default":4,"max":9}]'`

test('the text of an element that shows a variable is the default of that variable', async () => {
  const html = page(title('', ' data-var-text="name"'), { html: declared })
  const { receipt, html: after } = await come(html, { op: 'text', target: '#title', text: "Bob's" })
  expect(after).toContain('"label": "N", "default": "Bob&#39;s" }, {"id":"size"')
  expect(after).toContain('<h1 id="title" data-var-text="name"></h1>')
  expect(receipt.notes).toMatchObject([
    { kind: 'variable', text: expect.stringContaining('shows the variable "name"') },
  ])
})

test('a default keeps its type, and one that does not fit is refused with the reason', async () => {
  const html = page(title('x'), { html: declared })
  expect((await come(html, { op: 'variable', id: 'size', value: '7.5' })).html).toContain('"default":7.5,"max":9')
  await expect(come(html, { op: 'variable', id: 'size', value: 'big' })).rejects.toThrow('"default"')
  await expect(come(html, { op: 'variable', id: 'gone', value: 'big' })).rejects.toMatchObject({
    code: 'VID_EDIT_REFUSED',
    hint: 'Declared: name, size.',
  })
})

test('a variable in an attribute with double quotes, with references, or without quotes is changed in its place', async () => {
  const json =
    '[{&quot;id&quot;:&quot;a&quot;,&quot;type&quot;:&quot;string&quot;,&quot;label&quot;:&quot;A&amp;B&quot;,&quot;default&quot;:&quot;x&quot;}]'
  const { html } = await come(page(title('x'), { html: ` data-composition-variables="${json}"` }), {
    op: 'variable',
    id: 'a',
    value: 'y "z"',
  })
  expect(html).toContain('label&quot;:&quot;A&amp;B&quot;,&quot;default&quot;:&quot;y \\&quot;z\\&quot;&quot;}]"')
  const bare = `[{"id":"a","type":"string","label":"A","default":"x"}]`
  const unquoted = await come(page(title('x'), { html: ` data-composition-variables=${bare}` }), {
    op: 'variable',
    id: 'a',
    value: 'y z',
  })
  expect(unquoted.html).toContain(
    `data-composition-variables='[{"id":"a","type":"string","label":"A","default":"y z"}]'`,
  )
})

test.each([
  [`class="a"`, 'class', 'b', `class="b"`],
  [`class='a'`, 'class', `it's`, `class='it&#39;s'`],
  ['class=a', 'class', 'b', 'class=b'],
  ['class=a', 'class', 'b c', 'class="b c"'],
  ['hidden', 'hidden', 'until-found', 'hidden="until-found"'],
  ['CLASS = "a"', 'class', 'b', 'CLASS = "b"'],
  ['title=x', 'lang', 'de', 'title=x id="x" data-start="0" lang="de"'],
  ['', 'lang', 'say "x"', `lang='say "x"'`],
  ['title="a &amp; b"', 'title', 'c &lt; d', 'title="c &amp;lt; d"'],
])('%s with another %s "%s" is written as %s', async (before, name, value, after) => {
  const html = page(`      <p${before === '' ? '' : ` ${before}`} id="x" data-start="0">x</p>`)
  const plain = before === '' ? html.replace(' id="x"', '').replace('<p', '<p id="x"') : html
  const { html: result } = await come(plain, { op: 'set', target: '#x', name, value })
  expect(result).toContain(after)
})

test('an attribute in its own line comes after the last one, in a line of its own', async () => {
  const html = page('      <p\n        id="x"\n        data-start="0"\n      >x</p>')
  const { html: result } = await come(html, { op: 'set', target: '#x', name: 'class', value: 'a' })
  expect(result).toContain('data-start="0"\n        class="a"\n      >x</p>')
})

test('an attribute is removed with the space before it', async () => {
  const html = page('<p id="x" class="a" data-start="0">x</p><i id=y title=b>y</i>')
  expect((await come(html, { op: 'set', target: '#x', name: 'class', value: null })).html).toContain(
    '<p id="x" data-start="0">',
  )
  expect((await come(html, { op: 'set', target: '#y', name: 'title', value: null })).html).toContain('<i id=y>y</i>')
})

test('a new attribute has the quotes of the one before it', async () => {
  const { html } = await come(page("<p id='x'>x</p>"), { op: 'set', target: '#x', name: 'lang', value: 'de' })
  expect(html).toContain("<p id='x' lang='de'>")
})

test('the id of an element after which another starts stays', async () => {
  const html = page('<p id="x" data-start="0" data-duration="1">x</p><p data-start="x + 1">y</p>')
  await expect(come(html, { op: 'set', target: '#x', name: 'id', value: 'z' })).rejects.toThrow('starts after "x"')
})

const styled = (css: string, style = '', more = '') =>
  page(`      <h1 id="title" class="big"${style === '' ? '' : ` style="${style}"`}>x</h1>${more}`, {
    head: `<style>${css}</style>`,
  })

test.each([
  ['color: red', 'color', 'blue', 'style="color: blue"'],
  ['color: red; top: 1px;', 'color', 'blue', 'style="color: blue; top: 1px;"'],
  ['top:1px', 'color', 'blue', 'style="top:1px; color:blue"'],
  ['top: 1px;', 'color', 'blue', 'style="top: 1px; color: blue;"'],
  ['', 'color', 'blue', 'style="color: blue"'],
  ['color: red; top: 1px', 'color', null, 'style="top: 1px"'],
  ['top: 1px; color: red', 'color', null, 'style="top: 1px"'],
  ['color: red', 'color', null, '<h1 id="title" class="big">'],
  [
    'background-color: red; background: green',
    'background-color',
    'blue',
    'background: green; background-color: blue"',
  ],
  ['--gap: 1px', '--gap', '2px', 'style="--gap: 2px"'],
  ['font-family: &quot;A&quot;; color: red', 'color', 'blue', 'style="font-family: &quot;A&quot;; color: blue"'],
])('inline style "%s" with %s: %s is %s', async (style, property, value, after) => {
  const { html } = await come(styled('', style), { op: 'style', target: '#title', property, value })
  expect(html).toContain(after)
})

test('a rule that is for the element alone is changed, in a file of its own too', async () => {
  const one = await come(styled('#title { color: red; top: 1px }'), {
    op: 'style',
    target: '#title',
    property: 'color',
    value: 'blue',
  })
  expect(one.html).toContain('<style>#title { color: blue; top: 1px }</style>')
  expect(one.html).not.toContain('style="')
  const html = page(title('x'), { head: '<link rel="stylesheet" href="a.css">' })
  const two = await edited(html, [{ op: 'style', target: '#title', property: 'color', value: null }], {
    'a.css': 'h1 { top: 0 }\r\n#title {\r\n\tcolor: red;\r\n\ttop: 1px;\r\n}',
  })
  expect(two.textOf('a.css')).toBe('h1 { top: 0 }\r\n#title {\r\n\ttop: 1px;\r\n}')
  expect(two.textOf('index.html')).toBe('')
})

test.each([
  ['of several selectors', 'h2, #title { color: red }', ''],
  ['of several elements', '.big { color: red }', '<p class="big">y</p>'],
  ['in a media query', '@media (min-width: 1px) { #title { color: red } }', ''],
  ['one of two', '#title { color: red } h1 { color: green }', ''],
])('beside a rule %s an inline style is written, and the receipt says so', async (_, css, more) => {
  const { html, receipt } = await come(styled(css, '', more), {
    op: 'style',
    target: '#title',
    property: 'color',
    value: 'blue',
  })
  expect(html).toContain('class="big" style="color: blue"')
  expect(html).toContain(`<style>${css}</style>`)
  expect(receipt.notes).toMatchObject([{ kind: 'style', text: expect.stringContaining('an inline style is written') }])
})

test('an inline style beats an important rule', async () => {
  const { html } = await come(styled('h1, h2 { color: red !important }'), {
    op: 'style',
    target: '#title',
    property: 'color',
    value: 'blue',
  })
  expect(html).toContain('style="color: blue !important"')
})

test.each(['red; top: 1px', 'red } p { color: blue', '', 'url("a', '</style>', 'red /*'])(
  '"%s" is no value of a property',
  async (value) => {
    await expect(come(styled(''), { op: 'style', target: '#title', property: 'color', value })).rejects.toThrow(
      'no value of',
    )
  },
)

test('the receipt says which animations write the same property', async () => {
  const script = `gsap.timeline().to('#title', { autoAlpha: 1 }, 0)`
  const { receipt } = await come(page(title('x'), { script }), {
    op: 'style',
    target: '#title',
    property: 'opacity',
    value: '0',
  })
  expect(receipt.notes).toMatchObject([
    { kind: 'script', line: 9, text: 'An animation writes opacity of <h1 id="title"> as well.' },
  ])
})

const media = `      <video id="v" data-start="0" data-duration="2"><source src="a.mp4"></video>
      <audio src="a.mp3" data-start="1" data-duration="4" data-volume="0.5"></audio>`

test('media keeps its <source>, and a file from outside becomes one of the project', async () => {
  const files = { 'a.mp4': '1', 'b.mp4': '2', 'a.mp3': '' }
  const { html } = await come(page(media), { op: 'media', target: '#v', src: 'b.mp4' }, files)
  expect(html).toContain('<source src="b.mp4">')
  const { folder } = await edited(page(media), [{ op: 'media', target: '#v', src: 'b.mp4' }], {
    'my take.mp4': 'new',
    ...files,
  })
  const operation = { op: 'media', target: '#v', import: `${folder}/my take.mp4` }
  const taken = { ...files, 'assets/my take.mp4': 'other' }
  const imported = await edited(page(media), [operation], taken)
  expect(imported.html).toContain('<source src="assets/my%20take-2.mp4">')
  expect(imported.edit.files().get('assets/my take-2.mp4')).toMatchObject({ kind: 'copy', size: 3 })
  const same = await edited(page(media), [operation], { ...files, 'assets/my take.mp4': 'new' })
  expect(same.html).toContain('<source src="assets/my%20take.mp4">')
  expect([...same.edit.files().keys()]).toEqual(['index.html'])
})

test('volume sets data-volume, and says which animation replaces it', async () => {
  const script = `const tl = gsap.timeline()\ntl.to('audio', { volume: 0 }, 3)`
  const { html, receipt } = await come(
    page(media.replace('<audio', '<audio id="s"'), { script }),
    { op: 'volume', target: '#s', volume: 1.25 },
    { 'a.mp4': '', 'a.mp3': '' },
  )
  expect(html).toContain('data-volume="1.25"')
  expect(receipt.notes).toMatchObject([{ kind: 'script', text: expect.stringContaining('in place of data-volume') }])
})

test('a fade writes attributes, keeps the other side and its curve, and goes with 0', async () => {
  const html = page(media.replace('<audio', '<audio id="s"'))
  const files = { 'a.mp4': '', 'a.mp3': '' }
  const first = await edited(html, [{ op: 'fade', target: '#s', in: 1, out: 2 }], files)
  expect(first.html).toContain('data-fade-in="1" data-fade-out="2"')
  const curved = first.html.replace('data-fade-out="2"', 'data-fade-out="2 equal-power"')
  const second = await edited(curved, [{ op: 'fade', target: '#s', out: 1.5 }], files)
  expect(second.html).toContain('data-fade-in="1" data-fade-out="1.5 equal-power"')
  expect((await edited(first.html, [{ op: 'fade', target: '#s', in: 0, out: 0 }], files)).html).toBe(html)
})

test('a fade says what it changes', async () => {
  const { receipt } = await come(
    page(media.replace('<audio', '<audio id="s" data-fade-in="1"')),
    { op: 'fade', target: '#s', in: 0, out: 0.5 },
    { 'a.mp4': '', 'a.mp3': '' },
  )
  expect(receipt.changes.map(({ text }) => text)).toEqual([
    '<audio id="s"> no longer fades in.',
    '<audio id="s"> fades out for 0.5 s.',
  ])
})

test('a fade beside a tween of the volume is refused, as is one that is too long', async () => {
  const files = { 'a.mp4': '', 'a.mp3': '' }
  const script = `const tl = gsap.timeline()\ntl.to('#v', { volume: 0 }, 3)`
  const tween = come(page(media, { script }), { op: 'fade', target: '#v', in: 1 }, files)
  await expect(tween).rejects.toThrow('animates its volume, which wins over fades')
  const long = come(page(media.replace('<audio', '<audio id="s"')), { op: 'fade', target: '#s', in: 3, out: 2 }, files)
  await expect(long).rejects.toThrow('its fades are longer than its 4 s')
})

test('size changes the root, and says of rules that have their own', async () => {
  const html = page(title('x'), { head: '<style>#root { width: 320px; color: red }</style>' })
  const { html: after, receipt } = await come(html, { op: 'size', width: 1080, height: 1920 })
  expect(after).toContain('data-width="1080" data-height="1920"')
  expect(receipt.notes.map(({ text }) => text)).toEqual(['The rule "#root" has its own width, 320px.'])
})

test.each([
  ['an element with others inside', '<p id="x">a <b>b</b></p>', 'holds <b>'],
  ['a script', '<script id="x">1</script>', 'no text of its own'],
  ['an element without an end', '<br id="x">', 'no text of its own'],
  ['a text for another program', '<p id="x">{{name}}, hello</p>', '"{{name}}", which another program fills in'],
])('text of %s is refused', async (_, body, reason) => {
  await expect(come(page(body), { op: 'text', target: '#x', text: 'new' })).rejects.toThrow(reason)
})
