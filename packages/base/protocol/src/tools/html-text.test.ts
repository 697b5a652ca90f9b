import { expect, test } from 'vitest'
import { escapeHtml } from './html-text.ts'

test('what has a meaning in HTML is escaped, and nothing else', () => {
  expect(escapeHtml(`<a href="x" title='y'>R&D &amp; é</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;R&amp;D &amp;amp; é&lt;/a&gt;',
  )
})
