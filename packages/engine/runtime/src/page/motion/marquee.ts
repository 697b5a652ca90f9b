import { isShadowRoot } from '../document/flat-tree.ts'

/** A `<marquee>`, which the type library knows with fewer properties. */
interface Marquee extends HTMLElement {
  readonly behavior: string
  readonly loop: number
}

const marqueeOf = (element: Element): Marquee | undefined => {
  const tree = element.getRootNode()
  const host = isShadowRoot(tree) ? tree.host : undefined
  return host?.localName === 'marquee' ? (host as Marquee) : undefined
}

/**
 * Makes the animation of a `<marquee>` contain all its runs, since the browser would start the next one by the real
 * clock.
 */
export const repeatMarquee = ({ effect }: Animation): void => {
  const target = (effect as KeyframeEffect | null)?.target
  const marquee = target && marqueeOf(target)
  if (!marquee || marquee.behavior === 'slide') return
  effect?.updateTiming({
    iterations: marquee.loop > 0 ? marquee.loop : Number.POSITIVE_INFINITY,
    direction: marquee.behavior === 'alternate' ? 'alternate' : 'normal',
  })
}
