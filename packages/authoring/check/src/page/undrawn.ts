/** Draws nothing, while everything is laid out and hit as before. */
const NOTHING = ':root { opacity: 0 !important }'

let sheet: CSSStyleSheet | undefined

const animatesRoot = ({ documentElement: root }: Document) =>
  root.style.opacity !== '' || root.getAnimations().length > 0

/**
 * Keeps a page that is only measured from being drawn, which would take as long as measuring it; called in each frame.
 * A page that changes the opacity of its root element itself is drawn.
 */
export const keepUndrawn = (): void => {
  const isDrawn = animatesRoot(document) || (!sheet && getComputedStyle(document.documentElement).opacity !== '1')
  if (!isDrawn && !sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(NOTHING)
    document.adoptedStyleSheets.push(sheet)
  } else if (isDrawn && sheet) {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    sheet = undefined
  }
}

/** Opacity of an element as the page has it. */
export const opacityOf = (element: Element, { opacity }: CSSStyleDeclaration): number =>
  sheet && element === document.documentElement ? 1 : Number(opacity || 1)
