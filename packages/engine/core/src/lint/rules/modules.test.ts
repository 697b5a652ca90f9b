import { expect, test } from 'vitest'
import { lint, root } from '../fixtures/project.ts'

const imports = async (code: string, files: Readonly<Record<string, string>> = {}, more = '') =>
  (await lint({ 'index.html': root(`${more}<script type="module">\n${code}\n</script>`), ...files })).map(
    ({ code, line }) => `${line} ${code}`,
  )

test.each([
  ['import "lodash-es"', ['3 lint/bare-import']],
  ['export { sum } from "lodash-es/sum.js"', ['3 lint/bare-import']],
  ['export * from "@scope/name"', ['3 lint/bare-import']],
  ['\nawait import("lodash-es")', ['4 lint/bare-import']],
  ['await import(name)', []],
  ['import "./sums.js"; import "/sums.js"; import "https://esm.sh/lodash-es"; import "data:text/javascript,1"', []],
  ['import "./main.tsx"', ['3 lint/script-language']],
])('%s', async (code, codes) => {
  expect(await imports(code, { 'sums.js': '', 'main.tsx': '' })).toEqual(codes)
})

test('an import map resolves names and prefixes, also one that a script adds', async () => {
  const map = '<script type="importmap">{ "imports": { "d3": "/d3.js", "three/": "/three/" } }</script>'
  const code = 'import "d3"; import "three/addons/x.js"'
  expect(await imports(code, {}, map)).toEqual([])
  expect(await imports('import "d3/x.js"; import "three"', {}, map)).toHaveLength(2)
  expect(await imports(code, {}, '<script>document.head.append("importmap")</script>')).toEqual([])
})

test('a module that a page loads is checked in its own file', async () => {
  const files = {
    'index.html': root('<script type="module" src="main.js"></script>'),
    'main.js': '\nimport "lodash-es"',
  }
  expect(await lint(files)).toMatchObject([{ code: 'lint/bare-import', file: 'main.js', line: 2 }])
})

test.each(['main.ts', 'main.tsx?v=1', 'main.jsx', 'main.mts'])('%s is no script of a browser', async (src) => {
  const content = `<script src="${src}"></script><script type="text/babel" src="${src}"></script>`
  const files = { 'index.html': root(content), [src.replace(/\?.*/, '')]: 'const count: number = <b/>' }
  expect((await lint(files)).map(({ code }) => code)).toEqual(['lint/script-language'])
})
