import type { TimeWindows } from '../document/windows.ts'
import type { Animations } from '../motion/animations.ts'
import type { Realm } from '../realm/natives.ts'

/** The parts that determine whether something may start while no script runs. */
export interface SelfStartingParts {
  readonly realms: ReadonlySet<Realm>
  readonly animations: Animations
  treesOf(realm: Realm): readonly (Document | ShadowRoot)[]
}

/** Elements of SVG that change attributes over time, on which a selector may depend. */
const SMIL = 'animate,animateMotion,animateTransform,set'

/** What starts a transition or an animation when a style changes, whatever has changed it. */
const STARTING = /\btransition(?!: none)|@container|@starting-style|\bif\(/

/** Properties that start the animations of the elements inside again. */
const RESTARTING = /@keyframes.*\b(display|content-visibility)\b/s

/** Whether a rule of a style sheet may start something. */
const mayStart = (rule: CSSRule, hasSmil: boolean): boolean => {
  const text = rule.cssText
  if (STARTING.test(text) || RESTARTING.test(text) || (hasSmil && text.includes('animation'))) return true
  const imported = 'styleSheet' in rule ? (rule.styleSheet as CSSStyleSheet | null) : null
  return imported !== null && isStarting(imported, hasSmil)
}

const isStarting = (sheet: CSSStyleSheet, hasSmil: boolean): boolean => {
  try {
    return [...sheet.cssRules].some((rule) => mayStart(rule, hasSmil))
  } catch {
    return true // another origin's sheet, which no script may read
  }
}

/**
 * Whether a transition or an animation may start in the middle of a page that changes by itself: by a container that an
 * animation makes wider, a value that is inherited from an animated element, or an attribute that a drawing sets. What such
 * a page shows depends on the frames before. In doubt, it may.
 */
export const isSelfStarting = (page: SelfStartingParts, windows: TimeWindows): boolean => {
  const trees = [...page.realms].flatMap(page.treesOf)
  const hasSmil = trees.some((tree) => tree.querySelector(SMIL) !== null)
  if (!hasSmil && page.animations.playbacks.size === 0 && windows.of.size === 0) return false
  return trees.some(
    (tree) =>
      tree.querySelector('[style*="transition"]') !== null ||
      [...tree.styleSheets, ...tree.adoptedStyleSheets].some((sheet) => isStarting(sheet, hasSmil)),
  )
}
