import { expect, test } from 'vitest'
import { nameInCss, nameInHtml } from './generic-families.ts'

test.each([
  ['p { font: italic 18px serif }', 'p { font: italic 18px Georgia, serif }'],
  ['p{font-family:sans-serif}', 'p{font-family:Inter, sans-serif}'],
  ['p { font-family: "Fira", system-ui !important; }', 'p { font-family: "Fira", Inter, system-ui !important; }'],
  [':root { --body: Fira, ui-monospace }', ':root { --body: Fira, Menlo, ui-monospace }'],
  ['p { font-family: Fira, monospace }', 'p { font-family: Fira, Menlo, monospace }'],
])('a generic family has a name before it that the fonts of a render are given under: %s', (css, named) => {
  expect(nameInCss(css)).toBe(named)
})

test.each([
  'p { font-family: monospace }',
  'p { font-family: "My sans-serif" }',
  'p { font-family: my-serif }',
  '.serif { color: red }',
  'p { content: "a: serif" }',
])('nothing else is changed: %s', (css) => {
  expect(nameInCss(css)).toBe(css)
})

test('the styles of a document are changed, its text and scripts are not', () => {
  const script = '<script>el.innerHTML = "font-family: serif"</script>'
  const html = `<style>p{font:9px serif}</style><p style='font-family: serif'>font-family: serif</p>${script}`
  expect(nameInHtml(html)).toBe(
    `<style>p{font:9px Georgia, serif}</style><p style='font-family: Georgia, serif'>font-family: serif</p>${script}`,
  )
  expect(nameInHtml('<text font-family="sans-serif">x</text>')).toContain('font-family="Inter, sans-serif"')
})
