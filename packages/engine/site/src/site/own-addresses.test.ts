import { expect, test } from 'vitest'
import { ownInCss, ownInHtml, ownInScript, remoteAddress } from './own-addresses.ts'

test.each([
  [
    '<script src="https://cdn.example/a.js?b=1"></script>',
    '<script src="/.vid/remote/https/cdn.example/a.js?b=1"></script>',
  ],
  [
    "<link rel='stylesheet' href='//cdn.example/a.css'>",
    "<link rel='stylesheet' href='/.vid/remote/https/cdn.example/a.css'>",
  ],
  [
    '<p style="background:url(http://a.example/b.png)">',
    '<p style="background:url(/.vid/remote/http/a.example/b.png)">',
  ],
  ['<style>@import "https://a.example/b.css"</style>', '<style>@import "/.vid/remote/https/a.example/b.css"</style>'],
  [
    '<script type="module">import x from "https://a.example/x"</script>',
    '<script type="module">import x from "/.vid/remote/https/a.example/x"</script>',
  ],
])('a document asks its own origin for the files of others: %s', (html, expected) => {
  expect(ownInHtml(html)).toBe(expected)
})

test.each(['<a href="https://a.example/">https://a.example/</a>', '<svg xmlns="http://www.w3.org/2000/svg"></svg>'])(
  'what asks for nothing stays as it is: %s',
  (html) => {
    expect(ownInHtml(html)).toBe(html)
  },
)

test('what a file of another origin names from its root is of that origin', () => {
  expect(ownInScript('export * from "/npm/b.js"', 'https://a.example/npm/a.js')).toContain(
    '/.vid/remote/https/a.example/npm/b.js',
  )
  expect(ownInCss('p{background:url(/b.png)}', 'https://a.example/a.css')).toContain(
    'url(/.vid/remote/https/a.example/b.png)',
  )
  expect(remoteAddress('/.vid/remote/https/a.example/b?c=d')).toBe('https://a.example/b?c=d')
  expect(remoteAddress('/.vid/remote/file/etc/passwd')).toBeUndefined()
})
