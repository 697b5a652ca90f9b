import { createStyleOverride, type StyleOverride } from '../motion/style-override.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { createElementScan, type ScanParts } from './element-scan.ts'

/** The three-dimensional parts of a page. */
export interface Depth {
  /** Records the depth properties of an element's style. */
  look(element: Element, style: CSSStyleDeclaration): void
  /**
   * Flattens a page in which no element is rotated out of its plane, and restores its depth when one is; returns
   * the rotated elements.
   */
  update(): readonly Element[]
  /** Whether it changes the styles of an element. */
  isHeld(element: Element): boolean
  /** Looks again at the elements that it has flattened, since their styles may have changed. */
  lookAgain(): void
  /** Elements whose backs are hidden. */
  backs(): readonly Element[]
  /** Elements whose children share a space. */
  spaces(): readonly Element[]
}

/** Whether a style rotates its element by a property other than `transform`. */
const isTurnedBesides = ({ rotate, translate }: CSSStyleDeclaration): boolean =>
  /[xy ]/.test(rotate) || translate.split(' ').length > 2

/** Whether a style rotates its element out of the plane; flat 3D transforms are computed as `matrix()`. */
const isTurned = (style: CSSStyleDeclaration): boolean =>
  style.transform.startsWith('matrix3d') || isTurnedBesides(style)

/**
 * A perspective so distant that nothing looks different; it keeps an element a stacking context and a containing block.
 */
const FAR = '1000000px'

/** Styles that remove an element's depth without changing its look, in a page without rotated elements. */
const flatStyles = (style: CSSStyleDeclaration): Readonly<Record<string, string>> => ({
  ...(style.backfaceVisibility === 'hidden' && { backfaceVisibility: 'visible' }),
  ...(style.transformStyle === 'preserve-3d' && {
    transformStyle: 'flat',
    ...(style.perspective === 'none' && { perspective: FAR }),
  }),
})

/**
 * Creates the handler of a page's depth. Chromium gives every element with depth a layer, even if no element is rotated
 * out of the plane; the edges of a layer are antialiased differently as soon as it moves.
 */
export const createDepth = (): Depth => {
  const turned = new Set<Element>()
  const overrides = new Map<Element, { readonly styles: Readonly<Record<string, string>>; override?: StyleOverride }>()
  const isStillTurned = (element: Element) => element.isConnected && isTurned(natives.getComputedStyle(element))

  const flatten = () => {
    for (const entry of overrides.entries()) {
      const [element, { styles, override }] = entry
      if (override) continue
      const added = createStyleOverride(element)
      added.set(styles)
      overrides.set(element, { styles, override: added })
    }
  }
  const deepen = () => {
    for (const [element, { styles, override }] of overrides) {
      override?.cancel()
      overrides.set(element, { styles })
    }
  }

  const look = (element: Element, style: CSSStyleDeclaration) => {
    if (isTurned(style)) turned.add(element)
    if (overrides.get(element)?.override) return
    const styles = flatStyles(style)
    if (Object.keys(styles).length > 0) overrides.set(element, { styles })
    else overrides.delete(element)
  }
  const lookAgain = () => {
    deepen()
    for (const element of overrides.keys()) look(element, natives.getComputedStyle(element))
  }
  const elementsWith = (property: string) =>
    [...overrides].filter(([, { styles }]) => property in styles).map(([element]) => element)

  return {
    backs: () => elementsWith('backfaceVisibility'),
    spaces: () => elementsWith('transformStyle'),
    look,
    isHeld: (element) => overrides.get(element)?.override !== undefined,
    lookAgain,
    update() {
      for (const element of turned) if (!isStillTurned(element)) turned.delete(element)
      for (const element of overrides.keys()) if (!element.isConnected) overrides.delete(element)
      if (turned.size > 0) lookAgain()
      else flatten()
      return [...turned]
    },
  }
}

/** Flattens a page in the other lanes too, so that its pictures are the same. */
export const createDepthWatch = (
  realm: Realm,
  elements: Pick<ScanParts, 'trees' | 'styled' | 'animated'>,
): { update(): void } => {
  const depth = createDepth()
  const scan = createElementScan(realm, {
    ...elements,
    visit(element) {
      depth.look(element, natives.getComputedStyle(element))
      return undefined
    },
    isHeld: depth.isHeld,
    restyled: depth.lookAgain,
  })
  return {
    update() {
      scan.run()
      depth.update()
    },
  }
}
