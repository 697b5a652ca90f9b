import { expect, test } from 'vitest'
import { brief, lint, root } from '../fixtures/project.ts'

const card = (name: string) => `<div data-composition-src="${name}" data-start="0"></div>`

test.each([
  ['a style attribute', `<p style="font-family: 'Lost One', Inter">x</p>`, ['Lost One']],
  ['an attribute of a drawing', '<svg><text font-family="Lost">x</text></svg>', ['Lost']],
  ['a shorthand', '<style>p { font: italic bold 1.2em "Lost Two", Gone, sans-serif }</style>', ['Gone', 'Lost Two']],
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
  expect(messages).toEqual(families.map((name) => `The font family "${name}" is neither bundled nor declared.`))
})

test('without a list of bundled families no font is reported', async () => {
  expect(await lint({ 'index.html': root('<p style="font-family: Lost">x</p>') }, {})).toEqual([])
})

test('a page background is reported only for a format with alpha, and only in the entry', async () => {
  const style = '<style>html, body { background-color: red } body { background: transparent }</style>'
  const files = {
    'index.html': `<body style="background: blue">\n${style}${root(card('a.html'))}</body>`,
    'a.html': `<body>${style}<p>x</p></body>`,
  }
  expect(brief(await lint(files))).toEqual(['index.html:1 page-background', 'index.html:2 page-background'])
  expect(await lint(files, { alpha: false })).toEqual([])
})

test('an invalid style sheet is an error in an embedded file', async () => {
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
