/** Pseudo-elements that stand for generated content of the element that the rest of the selector finds. */
const PSEUDO_ELEMENT = /::?(before|after|first-line|first-letter)\b|::(?!part|slotted)[\w-]+(\([^()]*\))?/g

/** Selectors whose subjects are in another tree, or depend on the tree. */
const CROSSING = /::part|::slotted|:host|:scope/

/** What a rule is nested in. */
export interface OuterRule {
  /** Selector of the style rule around it; undefined at the top, and around rules of any elements. */
  readonly parent?: string | undefined
  /** Whether it is in an `@scope`, where `&` and `:scope` can be any element. */
  readonly isScoped?: boolean
  /** Whether one of those around it is for generated content. */
  readonly isContent?: boolean
}

/** The selector of all elements. */
const ANY = '*'

/** Changes a selector outside of its quoted strings. */
const changeUnquoted = (selector: string, change: (text: string) => string): string =>
  selector
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((text, index) => (index % 2 === 0 ? change(text) : text))
    .join('')

const isValid = (selector: string): boolean => {
  try {
    document.createDocumentFragment().querySelector(selector)
    return true
  } catch {
    return false
  }
}

/**
 * A selector of at least the elements in the tree of a rule that it styles, or whose generated content it does; undefined if
 * these may be any elements, also of other trees.
 */
export const subjectsOf = (selectorText: string, { parent, isScoped = false }: OuterRule): string | undefined => {
  const outer = isScoped ? ANY : parent && `:is(${parent})`
  const selector = changeUnquoted(selectorText, (text) => {
    const resolved = outer === undefined ? text : text.replaceAll(isScoped ? /:scope|&/g : '&', outer)
    return resolved.replaceAll(PSEUDO_ELEMENT, '').replaceAll(/(^|[\s,>+~(])(?=[,)]|$)/g, `$1${ANY}`)
  })
  return CROSSING.test(selector) || !isValid(selector) ? undefined : selector
}
