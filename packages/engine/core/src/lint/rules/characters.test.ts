import { expect, test } from 'vitest'
import { lint, root } from '../fixtures/project.ts'

const face = (range = '') => `<style>@font-face { font-family: F; src: url(f.woff2)${range} }</style>`
const messagesOf = async (content: string, others: Record<string, string> = {}) =>
  (await lint({ 'index.html': root(content), 'f.woff2': '', ...others })).map(({ message }) => message)

test.each([
  ['kana make Han Japanese', '<p>日本</p><p>です</p>', ['the Japanese characters 日本です']],
  ['Hangul make it Korean', '<p>韓國 한국</p>', ['the Korean characters 韓國한국']],
  ['Han alone is Chinese', '<p>世界，</p>', ['the Chinese characters 世界，']],
  ['scripts are told apart', '<p>აბ</p><p>க</p>', ['the Georgian characters აბ', 'the Tamil character க']],
  ['many are cut', '<p>一二三四五六七八九十百千万</p>', ['the Chinese characters 一二三四五六七八九十百千 and 1 more']],
  [
    'a unicode-range that excludes a character',
    `${face('; unicode-range: U+4E??, U+61-7A')}<p>世界</p>`,
    ['the Chinese character 界'],
  ],
])('characters without a font: %s', async (_, content, missing) => {
  const messages = await messagesOf(content)
  expect(messages.sort()).toEqual(missing.map((what) => `No font has ${what}: they are drawn as boxes.`).sort())
})

test.each([
  ['a declared font may have them', `${face()}<p>世界</p>`],
  ['a font of Google', '<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=X"><p>世</p>'],
  ['a style sheet elsewhere', '<link rel="stylesheet" href="https://x.example/a.css"><p>世</p>'],
  ['an import from elsewhere', '<style>@import "https://x.example/a.css";</style><p>世</p>'],
  ['a font that a script loads', '<script>new FontFace("F", "url(f.woff2)")</script><p>世</p>'],
  ['what is not drawn', '<style>/* 世 */</style><script>// 世\n</script><p>a\u200d\u2003\ufe0f</p>'],
])('no character is reported: %s', async (_, content) => {
  expect(await messagesOf(content)).toEqual([])
})

test('characters in a default value and in an embedded file are located, and the hint names a font that has them', async () => {
  const declared = `[{"id":"t","type":"string","label":"題","default":"வ"}]`
  const findings = await lint({
    'index.html': `<html data-composition-variables='${declared}'>\n${root('<div data-composition-src="a.html" data-start="0"></div>')}</html>`,
    'a.html': '<template>\n<div data-composition-id="a">\n<p id="in">ש</p></div></template>',
  })
  expect(findings).toMatchObject([
    { file: 'index.html', line: 1, selector: 'html', message: expect.stringContaining('Tamil character வ') },
    {
      file: 'a.html',
      line: 3,
      selector: '#in',
      hint: expect.stringContaining('npm install @fontsource/noto-sans-hebrew'),
    },
  ])
  expect(findings).toHaveLength(2)
})
