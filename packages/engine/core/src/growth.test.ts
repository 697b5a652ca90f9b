import { expect, test } from 'vitest'
import { growthOf, MOST_GROWTH } from '../../../../scripts/dev/growth.ts'
import { checkSurroundings } from './edit/surroundings.ts'
import { animeEdits } from './hyperframes/anime.ts'
import { readImportedFile } from './hyperframes/source.ts'
import { unknownNames } from './hyperframes/unknown-names.ts'
import { familiesOf } from './lint/project/font-families.ts'
import { rewriteAttributes, rewriteCssUrls } from './nesting/rewrite-paths.ts'
import { renameIds } from './nesting/scope-ids.ts'
import { authoredPlace } from './nesting/scope-script.ts'
import { replaceRawElements } from './source/markup.ts'
import { readNumber } from './source/numbers.ts'
import { nestedCandidates } from './source/project-references.ts'
import { parseDocument } from './source/tree.ts'
import { parseStart } from './timing/start-expression.ts'

const same = (url: string) => url

const readSrcset = (value: string) => {
  const element = { tagName: 'img', attrs: [{ name: 'srcset', value }] }
  rewriteAttributes(element as never, same)
}

const readSheet = (text: string) => {
  const document = parseDocument('<style></style><script></script>')
  for (const element of [document.childNodes[0] as never as typeof document].flatMap((html) => html.childNodes))
    for (const inner of (element as never as typeof document).childNodes ?? [])
      if ('childNodes' in inner) inner.childNodes = [{ nodeName: '#text', value: text, parentNode: inner } as never]
  try {
    checkSurroundings(document, true, { isHarmless: () => true } as never)
  } catch (thrown) {
    if ((thrown as Error).constructor.name !== 'Unclear') throw thrown
  }
}

/** Readers of strangers' texts, each with what is repeated, and what stands before and after it. */
const READERS: readonly [read: (text: string) => void, repeated: string, before?: string, after?: string][] = [
  [readNumber, '1', '', 'x'],
  [(text) => parseStart(text, () => false), ' ', 'a', 'b'],
  [(value) => familiesOf({ prop: 'font', value }), ' ', '1px', '/'],
  [(value) => familiesOf({ prop: 'font', value }), 'calc('],
  [(value) => familiesOf({ prop: 'font-family', value }), '('],
  [(value) => familiesOf({ prop: 'font-family', value }), ' ', 'a', 'b'],
  [(css) => rewriteCssUrls(css, same), 'url('],
  [(css) => rewriteCssUrls(css, same), ' ', 'url(a'],
  [(css) => rewriteCssUrls(css, same), 'url(a),'],
  [readSrcset, ' ', 'a,', ','],
  [readSrcset, 'a,'],
  [(css) => renameIds(css, new Map([['a', 'b']])), ' ', 'url(#a'],
  [(css) => renameIds(css, new Map([['a', 'b']])), 'url(#a'],
  [(html) => authoredPlace(html, 1e9), '<script>\n'],
  [(html) => authoredPlace(html, 1e9), '<script>\n</script>'],
  [(html) => replaceRawElements(html, 'style', same), '<style>'],
  [(html) => replaceRawElements(html, 'style', same), '<style '],
  [(src) => nestedCandidates('index.html', src), '?', '', '\n'],
  [(text) => unknownNames(readImportedFile('a.js', text), (() => undefined) as never, []), '//a'],
  [(text) => animeEdits(readImportedFile('a.js', text)), 'hyperframesAnime.register(a,b,{'],
  [(text) => animeEdits(readImportedFile('a.js', text)), ' ', 'hyperframesAnime.register(a,b'],
  [readSheet, 'visibility'],
  [readSheet, `["`],
  [readSheet, 'a ', '', 'TreeWalke'],
  [readSheet, 'caret', '', '-'],
]

test.each(READERS)('reader %# takes time in proportion to the text', (read, repeated, before = '', after = '') => {
  const textOf = (length: number) => before + repeated.repeat(length / repeated.length) + after
  expect(growthOf(textOf, read)).toBeLessThan(MOST_GROWTH)
})
