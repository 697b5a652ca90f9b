import { natives, type Realm } from '../realm/natives.ts'
import { replaceAccessor, replaceMethod } from '../realm/replace.ts'

const DOCUMENT =
  'the page scrolls its document, which is as large as the picture in a composition, so nothing moves: scroll an element inside the root that has overflow: hidden or auto, or move its content by a transform'
const SMOOTH =
  'the page scrolls an element smoothly, which jumps to its end: set scrollTop in each frame, or move the content by a transform'
const TIMELINE =
  'an animation follows the scroll position of the document, which is as large as the picture in a composition, so it stands still: let it follow an element that scrolls, or the time'

type ScrollArguments = [ScrollToOptions?] | [number, number]

const options = ([first, top]: ScrollArguments): ScrollToOptions =>
  typeof first === 'object' ? first : { left: first ?? 0, top: top ?? 0 }

/** Whether a style of the page makes an element scroll smoothly by default. */
const isSmooth = (element: Element): boolean => natives.getComputedStyle(element).scrollBehavior === 'smooth'

/** Whether an ancestor scrolls smoothly by its style. */
const isInSmooth = (element: Element): boolean => {
  for (let around = element.parentElement; around; around = around.parentElement)
    if (isSmooth(around) && around.scrollHeight + around.scrollWidth > around.clientHeight + around.clientWidth)
      return true
  return false
}

const isMove = ({ left = 0, top = 0 }: ScrollToOptions): boolean => left !== 0 || top !== 0

/** Reports scrolling in a page that has no effect in a composition. */
export const watchScrolling = (realm: Realm, report: (message: string) => void): void => {
  for (const name of ['scroll', 'scrollTo', 'scrollBy'] as const) {
    const ofWindow = realm[name] as (...args: ScrollArguments) => void
    replaceMethod(realm, name, ((...args: ScrollArguments) => {
      if (isMove(options(args))) report(DOCUMENT)
      ofWindow.apply(realm, args)
    }) as never)
    const ofElement = realm.Element.prototype[name] as (this: Element, ...args: ScrollArguments) => void
    replaceMethod(realm.Element.prototype, name, function (this: Element, ...args: ScrollArguments) {
      if (this === realm.document.scrollingElement) {
        if (isMove(options(args))) report(DOCUMENT)
      } else {
        const { behavior = 'auto' } = options(args)
        if (behavior === 'smooth' || (behavior === 'auto' && isSmooth(this))) report(SMOOTH)
      }
      ofElement.apply(this, args)
    } as never)
  }
  const { scrollIntoView } = realm.Element.prototype
  replaceMethod(realm.Element.prototype, 'scrollIntoView', function (this: Element, argument) {
    const { behavior = 'auto' } = typeof argument === 'object' ? argument : {}
    if (behavior === 'smooth' || (behavior === 'auto' && isInSmooth(this))) report(SMOOTH)
    scrollIntoView.call(this, argument)
  })
  for (const key of ['scrollTop', 'scrollLeft'] as const) {
    const set = Object.getOwnPropertyDescriptor(realm.Element.prototype, key)?.set
    replaceAccessor(realm.Element.prototype, key, {
      set(this: Element, value: number) {
        if (this !== realm.document.scrollingElement) isSmooth(this) && report(SMOOTH)
        else if (Number(value) !== 0) report(DOCUMENT)
        set?.call(this, value)
      },
    })
  }
}

/** Reports those timelines of animations that follow the scroll position of a window's document. */
export const reportScrollTimelines = (
  { document }: Realm,
  timelines: ReadonlySet<AnimationTimeline>,
  report: (message: string) => void,
): void => {
  for (const timeline of timelines)
    if ('source' in timeline && timeline.source === document.scrollingElement) report(TIMELINE)
}
