import { expect, test } from 'vitest'
import { unifiedDiffLines } from './diff-lines.ts'

test('a diff names each file once, and tells added lines from removed ones', () => {
  const diff = `--- a/index.html
+++ b/index.html
@@ -1,3 +1,3 @@
 <div>
-<p data-start="1">
+<p data-start="2">
`
  expect(unifiedDiffLines(diff)).toEqual([
    { kind: 'file', text: 'index.html' },
    { kind: 'hunk', text: '@@ -1,3 +1,3 @@' },
    { kind: 'same', text: ' <div>' },
    { kind: 'removed', text: '-<p data-start="1">' },
    { kind: 'added', text: '+<p data-start="2">' },
  ])
})

test('a line that only begins like the name of a file is a line', () => {
  expect(unifiedDiffLines('--- x\n-gone\n')).toEqual([
    { kind: 'removed', text: '--- x' },
    { kind: 'removed', text: '-gone' },
  ])
})
