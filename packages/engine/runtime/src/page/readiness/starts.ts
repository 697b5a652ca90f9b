import type { Listeners } from '../clock/listeners.ts'
import type { HiddenTrees } from '../document/hidden-trees.ts'
import type { TimeWindows } from '../document/windows.ts'
import type { Adapters } from '../libraries/adapters.ts'
import type { Timelines } from '../libraries/timelines.ts'
import { natives } from '../realm/natives.ts'
import { inheritsAtMost, isSelfStarting, type SelfStartingParts } from './self-starting.ts'

/** The parts that determine whether anything may start once the page has begun. */
export interface StartsParts extends SelfStartingParts {
  readonly listeners: Pick<Listeners, 'hasOtherThan'>
  readonly adapters: Pick<Adapters, 'list'>
  readonly hiddenTrees: Pick<HiddenTrees, 'hasClosed' | 'treesOf'>
  readonly timelines: Pick<Timelines, 'objects'>
  /** The elements of the document and its shadow trees that match a selector. */
  find(selector: string): Element[]
}

/** Events that are over once a page has begun. */
const LOADING = ['DOMContentLoaded', 'load', 'readystatechange']

/** Elements of which the browser tells page code at times of their own. */
const TELLING = 'video,audio,iframe,object,embed'

/** Pseudo-elements that inherit from an element. */
const INHERITING = ['::before', '::after']

/** Whether nothing inherits the styles of an animation's element. */
const isAlone = (animation: Animation): boolean => {
  const effect = animation.effect as KeyframeEffect | null
  const element = effect?.target
  if (!element || effect.pseudoElement || element.firstElementChild || element.shadowRoot) return false
  return (
    element.localName !== 'slot' &&
    natives.getComputedStyle(element).display !== 'list-item' &&
    INHERITING.every((name) => natives.getComputedStyle(element, name).content === 'none')
  )
}

/** Whether code of the page may run once it has begun, though the page does not depend on the frames before. */
const isScripted = ({ realms, listeners, adapters, timelines, find }: StartsParts): boolean =>
  realms.size > 1 ||
  listeners.hasOtherThan(...LOADING) ||
  adapters.list().length > 0 ||
  timelines.objects.size > 0 ||
  find(TELLING).length > 0

/**
 * Whether no animation starts in a page from now on while its markup stays as it is: no code of the page runs, and no style
 * that changes by itself reaches an element with a transition. `because` has the reasons why the page depends on earlier
 * frames. In doubt, one may start.
 */
export const startsNothing = (page: StartsParts, windows: TimeWindows, because: readonly string[]): boolean => {
  if (because.some((reason) => reason !== 'transitions') || isScripted(page)) return false
  // The browser itself starts the animation of a <marquee>.
  if (page.hiddenTrees.hasClosed() || page.hiddenTrees.treesOf(window).length > 0) return false
  if (!isSelfStarting(page, windows)) return true
  return inheritsAtMost(page) && [...page.animations.playbacks.keys()].every(isAlone)
}
