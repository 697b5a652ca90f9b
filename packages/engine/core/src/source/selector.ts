import parser, { type Attribute, type Node, type Pseudo, type Selector } from 'postcss-selector-parser'
import { attributeOf, childElements, type Element } from './tree.ts'

/** Whether an element fits a selector: null when only a browser could say. */
export type Fit = boolean | null

const parentOf = ({ parentNode }: Element): Element | null =>
  parentNode !== null && 'tagName' in parentNode ? parentNode : null

const siblingsOf = (element: Element): Element[] => (element.parentNode ? childElements(element.parentNode) : [element])

/** All of them: false beats null. */
const every = (fits: readonly Fit[]): Fit => (fits.includes(false) ? false : fits.includes(null) ? null : true)

/** Any of them: true beats null. */
const some = (fits: readonly Fit[]): Fit => (fits.includes(true) ? true : fits.includes(null) ? null : false)

const fitsAttribute = ({ attribute, operator, value = '', insensitive }: Attribute, element: Element): Fit => {
  const written = attributeOf(element, attribute)
  if (written === null) return false
  const [text, expected] = insensitive ? [written.toLowerCase(), value.toLowerCase()] : [written, value]
  switch (operator) {
    case undefined:
      return true
    case '=':
      return text === expected
    case '~=':
      return text.split(/\s+/).includes(expected)
    case '|=':
      return text === expected || text.startsWith(`${expected}-`)
    case '^=':
      return expected !== '' && text.startsWith(expected)
    case '$=':
      return expected !== '' && text.endsWith(expected)
    case '*=':
      return expected !== '' && text.includes(expected)
    default:
      return null
  }
}

/** Whether a number, counted from 1, is one of `an+b`, `odd`, `even` or a number; null for another text. */
const isNth = (text: string, number: number): Fit => {
  const plain = text.replaceAll(/\s+/g, '').toLowerCase()
  const [, step, offset = '0'] = /^(?:([+-]?\d*)n)?([+-]?\d+)?$/.exec(
    plain === 'odd' ? '2n+1' : plain === 'even' ? '2n' : plain,
  ) ?? [undefined, 'none']
  if (step === 'none' || plain === '') return null
  const a = step === undefined ? 0 : step === '' || step === '+' ? 1 : step === '-' ? -1 : Number(step)
  const rest = number - Number(offset)
  return a === 0 ? rest === 0 : rest % a === 0 && rest / a >= 0
}

const fitsPseudo = (pseudo: Pseudo, element: Element): Fit => {
  const name = pseudo.value.toLowerCase()
  const siblings = siblingsOf(element)
  const position = siblings.indexOf(element) + 1
  const alike = siblings.filter(({ tagName }) => tagName === element.tagName)
  // What a pseudo-element draws is not the element itself.
  if (name.startsWith('::') || ['::', ':before', ':after', ':first-line', ':first-letter'].includes(name)) return false
  switch (name) {
    case ':is':
    case ':where':
      return some(pseudo.nodes.map((selector) => fitsSelector(selector, element)))
    case ':not': {
      const fit = some(pseudo.nodes.map((selector) => fitsSelector(selector, element)))
      return fit === null ? null : !fit
    }
    case ':root':
      return element.tagName === 'html'
    case ':first-child':
      return position === 1
    case ':last-child':
      return position === siblings.length
    case ':only-child':
      return siblings.length === 1
    case ':first-of-type':
      return alike[0] === element
    case ':last-of-type':
      return alike.at(-1) === element
    case ':nth-child':
      return isNth(String(pseudo.nodes[0] ?? ''), position)
    case ':nth-of-type':
      return isNth(String(pseudo.nodes[0] ?? ''), alike.indexOf(element) + 1)
    default:
      return null
  }
}

const fitsSimple = (node: Node, element: Element): Fit => {
  switch (node.type) {
    case 'universal':
    case 'comment':
      return true
    case 'tag':
      return node.value.toLowerCase() === element.tagName.toLowerCase()
    case 'id':
      return attributeOf(element, 'id') === node.value
    case 'class':
      return (attributeOf(element, 'class') ?? '').split(/\s+/).includes(node.value)
    case 'attribute':
      return fitsAttribute(node, element)
    case 'pseudo':
      return fitsPseudo(node, element)
    default:
      return null
  }
}

/** The elements that may stand on the other side of a combinator. */
const acrossOf = (combinator: string, element: Element): Element[] | null => {
  const before = () => siblingsOf(element).slice(0, siblingsOf(element).indexOf(element))
  const parent = parentOf(element)
  switch (combinator) {
    case '>':
      return parent ? [parent] : []
    case '+':
      return before().slice(-1)
    case '~':
      return before()
    case ' ': {
      const above: Element[] = []
      for (let node = parent; node; node = parentOf(node)) above.push(node)
      return above
    }
    default:
      return null
  }
}

/** Whether an element fits the parts of a selector up to its end. */
const fitsParts = (nodes: readonly Node[], element: Element): Fit => {
  const cut = nodes.findLastIndex(({ type }) => type === 'combinator')
  const self = every(nodes.slice(cut + 1).map((node) => fitsSimple(node, element)))
  if (cut < 0 || self === false) return self
  const across = acrossOf(nodes[cut]?.value?.trim() || ' ', element)
  if (across === null) return null
  return every([self, some(across.map((other) => fitsParts(nodes.slice(0, cut), other)))])
}

const fitsSelector = ({ nodes }: Selector, element: Element): Fit => fitsParts(nodes, element)

const parsed = new Map<string, readonly Selector[] | null>()
/** Selectors that stay parsed; a project rarely has more. */
const MAX_PARSED = 5000

/** The selectors of a list; null for a text that is none. */
const selectorsIn = (text: string): readonly Selector[] | null => {
  const before = parsed.get(text)
  if (before !== undefined) return before
  if (parsed.size >= MAX_PARSED) parsed.clear()
  let selectors: readonly Selector[] | null = null
  try {
    selectors = parser().astSync(text).nodes
  } catch {
    // A browser reports a selector that it cannot parse.
  }
  parsed.set(text, selectors)
  return selectors
}

/** Whether an element fits one of the selectors of a list, by the source alone. */
export const fitsSelectors = (selectors: string, element: Element): Fit => {
  const list = selectorsIn(selectors)
  return list === null ? null : some(list.map((selector) => fitsSelector(selector, element)))
}
