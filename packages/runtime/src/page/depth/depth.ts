import { createStyleOverride, type StyleOverride } from '../motion/style-override.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { createElementScan, type ScanParts } from './element-scan.ts'

/** What a page has in three dimensions. */
export interface Depth {
  /** Notes what the style of an element says of it. */
  look(element: Element, style: CSSStyleDeclaration): void
  /**
   * Takes the depth from a page in which nothing is turned out of its plane, and gives it back when something is; returns
   * the elements that are turned.
   */
  update(): readonly Element[]
  /** Elements whose backs are hidden. */
  backs(): readonly Element[]
  /** Elements whose children share a space. */
  spaces(): readonly Element[]
}

/** Whether a style turns its element by another property than `transform`. */
export const isTurnedBesides = ({ rotate, translate }: CSSStyleDeclaration): boolean =>
  /[xy ]/.test(rotate) || translate.split(' ').length > 2

/** Whether a style turns its element out of the plane; flat 3D transforms are computed as `matrix()`. */
const isTurned = (style: CSSStyleDeclaration): boolean =>
  style.transform.startsWith('matrix3d') || isTurnedBesides(style)

/** A distance from which nothing looks different: it keeps an element a stacking context and a containing block. */
const FAR = '1000000px'

/** The styles by which an element looks the same and has no depth, in a page where nothing is turned. */
const flatStyles = (style: CSSStyleDeclaration): Readonly<Record<string, string>> => ({
  ...(style.backfaceVisibility === 'hidden' && { backfaceVisibility: 'visible' }),
  ...(style.transformStyle === 'preserve-3d' && {
    transformStyle: 'flat',
    ...(style.perspective === 'none' && { perspective: FAR }),
  }),
})

/**
 * Creates what knows the depth of a page. Chromium gives elements with depth a layer each, also where nothing is turned
 * out of the plane; the edges of a layer are smoothed differently as soon as it moves.
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

  const elementsWith = (property: string) =>
    [...overrides].filter(([, { styles }]) => property in styles).map(([element]) => element)

  return {
    backs: () => elementsWith('backfaceVisibility'),
    spaces: () => elementsWith('transformStyle'),
    look(element, style) {
      if (isTurned(style)) turned.add(element)
      if (overrides.get(element)?.override) return
      const styles = flatStyles(style)
      if (Object.keys(styles).length > 0) overrides.set(element, { styles })
      else overrides.delete(element)
    },
    update() {
      for (const element of turned) if (!isStillTurned(element)) turned.delete(element)
      for (const element of overrides.keys()) if (!element.isConnected) overrides.delete(element)
      if (turned.size > 0) deepen()
      else flatten()
      return [...turned]
    },
  }
}

/** Does so for a page that is captured otherwise than as an element, so that its pictures are the same. */
export const createDepthWatch = (realm: Realm, animated: ScanParts['animated']): { update(): void } => {
  const depth = createDepth()
  const scan = createElementScan(realm, {
    animated,
    visit(element) {
      depth.look(element, natives.getComputedStyle(element))
      return undefined
    },
  })
  return {
    update() {
      scan.run()
      depth.update()
    },
  }
}
