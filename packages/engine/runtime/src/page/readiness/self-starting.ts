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

/** Declares transitions, which start when a style changes, whatever has changed it. */
const TRANSITION = /\btransition(?!: none)/

/** Starts an animation or another style when a style changes elsewhere. */
const CONDITIONAL = /@container|@starting-style|\bif\(/

/** Properties that start the animations of the elements inside again. */
const RESTARTING = /@keyframes.*\b(display|content-visibility)\b/s

/** Whether a rule of a style sheet, by its text, may start something. */
type Test = (text: string) => boolean

const mayStart = (rule: CSSRule, test: Test): boolean => {
  if (test(rule.cssText)) return true
  const imported = 'styleSheet' in rule ? (rule.styleSheet as CSSStyleSheet | null) : null
  return imported !== null && isStarting(imported, test)
}

const isStarting = (sheet: CSSStyleSheet, test: Test): boolean => {
  try {
    return [...sheet.cssRules].some((rule) => mayStart(rule, test))
  } catch {
    return true // another origin's sheet, which no script may read
  }
}

const treesIn = (page: SelfStartingParts) => [...page.realms].flatMap(page.treesOf)

const hasSmil = (page: SelfStartingParts): boolean => treesIn(page).some((tree) => tree.querySelector(SMIL) !== null)

const hasSheet = (page: SelfStartingParts, test: Test): boolean =>
  treesIn(page).some((tree) =>
    [...tree.styleSheets, ...tree.adoptedStyleSheets].some((sheet) => isStarting(sheet, test)),
  )

/**
 * Whether a transition or an animation may start in the middle of a page that changes by itself: by a container that an
 * animation makes wider, a value that is inherited from an animated element, or an attribute that a drawing sets. What such
 * a page shows depends on the frames before. In doubt, it may.
 */
export const isSelfStarting = (page: SelfStartingParts, windows: TimeWindows): boolean => {
  const isDrawn = hasSmil(page)
  if (!isDrawn && page.animations.playbacks.size === 0 && windows.of.size === 0) return false
  if (treesIn(page).some((tree) => tree.querySelector('[style*="transition"]') !== null)) return true
  return hasSheet(
    page,
    (text) =>
      TRANSITION.test(text) ||
      CONDITIONAL.test(text) ||
      RESTARTING.test(text) ||
      (isDrawn && text.includes('animation')),
  )
}

/** Whether all that may start in the middle of a page are transitions of elements that inherit what moves. */
export const inheritsAtMost = (page: SelfStartingParts): boolean =>
  !hasSmil(page) && !hasSheet(page, (text) => CONDITIONAL.test(text) || RESTARTING.test(text))
