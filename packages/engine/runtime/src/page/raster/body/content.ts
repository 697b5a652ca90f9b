import { natives } from '../../realm/natives.ts'

const PARTS = ['::before', '::after'] as const

/** What would move a copy beside what it copies. */
const AT_REST = 'animation:none!important;transition:none!important'

const isThere = ({ content }: CSSStyleDeclaration): boolean => !/^(none|normal)$/.test(content)

/** Whether a copy of generated content is drawn like it: outside the flow, in the plane of the page, by its own style alone. */
const isCopied = (style: CSSStyleDeclaration): boolean => {
  const { position, content, transform, rotate, scale, backgroundImage, backgroundAttachment } = style
  return (
    /^(absolute|fixed)$/.test(position) &&
    !/counter|quote/.test(content) &&
    !transform.startsWith('matrix3d') &&
    !/[xy ]/.test(rotate) &&
    scale.split(' ').length < 3 &&
    !/paint\(/.test(backgroundImage) &&
    !/fixed/.test(backgroundAttachment) &&
    (style.getPropertyValue('backdrop-filter') || 'none') === 'none'
  )
}

/** The generated content of an element that the picture would lack; of the body, it shows a copy of most. */
export const lackingContent = (element: HTMLElement): string | undefined =>
  PARTS.find((part) => {
    const style = natives.getComputedStyle(element, part)
    return isThere(style) && (element !== document.body || !isCopied(style))
  })

const declarations = (style: CSSStyleDeclaration): string =>
  Array.from(style, (name) => `${name}:${style.getPropertyValue(name)}`).join(';')

const ruleOf = (body: HTMLElement, part: string, selector: string): string => {
  const style = natives.getComputedStyle(body, part)
  return isThere(style) ? `${selector}${part}{${declarations(style)};${AT_REST}}` : ''
}

/** Creates what copies the body's generated content to the element in a shadow tree that lays out the body's children. */
export const createBodyContent = (body: HTMLElement, tree: ShadowRoot, selector: string): (() => void) => {
  const sheet = new CSSStyleSheet()
  tree.adoptedStyleSheets.push(sheet)
  let copied = ''
  return () => {
    const rules = PARTS.map((part) => ruleOf(body, part, selector)).join('')
    if (rules === copied) return
    copied = rules
    sheet.replaceSync(rules)
  }
}
