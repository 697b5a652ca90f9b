import { expect, test } from 'vitest'
import { fitsSelectors } from './selector.ts'
import { attributeOf, descendants, parseDocument } from './tree.ts'

const page = `<body><main class="a b"><p id="one" data-x="left right">1</p><p id="two">2</p><svg id="three"></svg></main></body>`

/** The ids that a selector fits, and those of which it cannot be said. */
const idsOf = (selector: string) => {
  const elements = [...descendants(parseDocument(page))].filter((element) => attributeOf(element, 'id') !== null)
  const idsWith = (fit: boolean | null) =>
    elements.filter((element) => fitsSelectors(selector, element) === fit).map((element) => attributeOf(element, 'id'))
  return { fit: idsWith(true), unclear: idsWith(null) }
}

test.each([
  ['#one', ['one']],
  ['p', ['one', 'two']],
  ['main.a.b > p', ['one', 'two']],
  ['.a p + p', ['two']],
  ['p ~ svg, #one', ['one', 'three']],
  ['[data-x~="right"]', ['one']],
  ['[data-x^=left]', ['one']],
  ['p:nth-child(2n)', ['two']],
  ['p:nth-child(odd)', ['one']],
  ['svg:nth-of-type(1)', ['three']],
  ['main :not(p)', ['three']],
  [':is(#one, svg)', ['one', 'three']],
  ['p::before', []],
  ['div p', []],
])('%s fits %j by the source', (selector, fit) => {
  expect(idsOf(selector)).toEqual({ fit, unclear: [] })
})

test('what only a browser can say is unclear, unless the rest does not fit', () => {
  expect(idsOf('p:hover')).toEqual({ fit: [], unclear: ['one', 'two'] })
  expect(idsOf('main:has(p) > svg')).toEqual({ fit: [], unclear: ['three'] })
  expect(idsOf('p[').unclear).toEqual(['one', 'two', 'three'])
})
