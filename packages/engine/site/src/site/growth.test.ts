import { expect, test } from 'vitest'
import { growthOf, MOST_GROWTH } from '../../../../../scripts/dev/growth.ts'
import { nameInHtml } from './generic-families.ts'
import { ownInHtml } from './own-addresses.ts'

test.each<[(html: string) => string, string]>([
  [ownInHtml, '<script>'],
  [ownInHtml, '<style '],
  [ownInHtml, '<img '],
  [ownInHtml, '<img "'],
  [ownInHtml, 'import   '],
  [nameInHtml, '<style>'],
  [nameInHtml, ' style="font:'],
])('document %# is prepared in time in proportion to it', (prepare, repeated) => {
  expect(growthOf((length) => repeated.repeat(length / repeated.length), prepare)).toBeLessThan(MOST_GROWTH)
})
