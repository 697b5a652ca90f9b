import type { PageConfig } from '../../contract.ts'
import { createSheet } from '../document/sheet.ts'
import type { Realm } from '../natives.ts'
import { paints, type RasterStage } from './raster-stage.ts'

/** Tells whether the page holds anything that the picture of an element shows wrongly; each was measured. */
export interface RasterGate {
  /** Why the page as it is now cannot be captured as an element. */
  check(stage: RasterStage): string | undefined
  /** True when the page holds elements that may change without the browser telling. */
  isVolatile(): boolean
}

type Styles = CSSStyleDeclaration

/** What the html and body elements themselves would add to the picture, which shows only what is inside them. */
const OUTER: readonly [reason: string, is: (style: Styles) => boolean][] = [
  [
    'a transform',
    ({ transform, rotate, scale, translate }) =>
      `${transform}${rotate}${scale}${translate}` !== 'none'.repeat(4),
  ],
  ['perspective', ({ perspective }) => perspective !== 'none'],
  ['opacity', ({ opacity }) => opacity !== '1'],
  ['a filter', ({ filter }) => filter !== 'none'],
  ['a clip path', ({ clipPath }) => clipPath !== 'none'],
  ['a mask', ({ maskImage }) => maskImage !== 'none'],
  ['a blend mode', ({ mixBlendMode }) => mixBlendMode !== 'normal'],
  ['a border', ({ borderWidth }) => !/^[0px ]*$/.test(borderWidth)],
  ['an outline', ({ outlineStyle }) => outlineStyle !== 'none'],
  ['a shadow', ({ boxShadow }) => boxShadow !== 'none'],
  ['zoom', (style) => style.getPropertyValue('zoom') !== '1'],
  ['a background image', ({ backgroundImage }) => /url\(|image-set|paint\(/.test(backgroundImage)],
  ['a fixed background', ({ backgroundAttachment }) => /fixed/.test(backgroundAttachment)],
  ['a blended background', ({ backgroundBlendMode }) => !/^(normal(, )?)*$/.test(backgroundBlendMode)],
]

/** What is drawn wrongly inside the picture of an element. */
const INNER: readonly [reason: string, is: (style: Styles) => boolean][] = [
  // Given a layer of its own, whose edges are smoothed otherwise; flat 3D transforms are computed as `matrix()`.
  ['a 3D transform', ({ transform }) => transform.startsWith('matrix3d')],
  ['transform-style: preserve-3d', ({ transformStyle }) => transformStyle === 'preserve-3d'],
  ['backface-visibility: hidden', ({ backfaceVisibility }) => backfaceVisibility === 'hidden'],
  ['backdrop-filter', (style) => (style.getPropertyValue('backdrop-filter') || 'none') !== 'none'],
]

/** Elements with a layer of their own: only a transform carries it to its place, and nothing scales it. */
const LAYERED = 'canvas,video,object,embed'
/** A turn by nothing, which carries a canvas to its place as any transform does. */
const CARRIED = ':where(canvas){rotate:0deg}'
const TOP_LAYER = ':modal,:popover-open,:fullscreen'
/** What inline styles must hold for a change of them to need a look. */
const WATCHED_STYLE =
  /preserve|backface|backdrop|matrix3d|perspective|rotate[XY3]|translateZ|translate3d\((?!.*, 0px\))|rotate:|translate:/
const WATCHED = ['style', 'class', 'width', 'height', 'open', 'popover', 'sandbox', 'src', 'srcdoc']

const name = (element: Element) => `<${element.localName}${element.id && ` id="${element.id}"`}>`

const isMoved = (element: Element, realm: Realm): boolean => {
  const { left, top } = element.getBoundingClientRect()
  const { transform, rotate, position } = realm.getComputedStyle(element)
  // Among boxes that are not positioned, a transform would also change what lies above what.
  if (transform !== 'none' || (rotate !== 'none' && position !== 'static')) return false
  for (let at = element.parentElement; at; at = at.parentElement)
    if (realm.getComputedStyle(at).transform !== 'none') return true
  return left !== 0 || top !== 0
}

const isScaled = (element: Element, realm: Realm, fits: (video: Element) => boolean): boolean => {
  if (element.localName === 'video') return !fits(element)
  if (element.localName !== 'canvas') return true
  const { width, height } = element as HTMLCanvasElement
  const style = realm.getComputedStyle(element)
  return Number.parseFloat(style.width) !== width || Number.parseFloat(style.height) !== height
}

/**
 * Makes the gate; what does not change is looked at once. `animated` gives the elements that animations move, and `fits`
 * says whether what a video shows has the size of the video.
 */
export const createRasterGate = (
  realm: Realm,
  { width, height }: PageConfig,
  animated: () => Iterable<Element>,
  fits: (video: Element) => boolean,
): RasterGate => {
  const { document } = realm
  const styleOf = (element: Element, pseudo?: string) => realm.getComputedStyle(element, pseudo)
  const sheet = createSheet(realm, CARRIED)
  let records: MutationRecord[] = []
  const observer = new realm.MutationObserver((list) => records.push(...list))
  let volatile: Element[] = []
  /** What was unfit, or not looked at any more when something was: it may be so still, though nothing changes. */
  let suspects = new Set<Element>()
  let begun = false

  const outer = (): string | undefined => {
    for (const element of [document.documentElement, document.body]) {
      const style = styleOf(element)
      const found = OUTER.find(([, is]) => is(style))
      if (found) return `${found[0]} on ${name(element)}`
      for (const pseudo of ['::before', '::after'])
        if (!/^(none|normal)$/.test(styleOf(element, pseudo).content)) return `${name(element)}${pseudo}`
    }
    return undefined
  }

  const behind = (html: Styles, body: Styles): string | undefined => {
    const source = paints(html) ? html : body
    const { left, top, width: wide, height: high } = document.documentElement.getBoundingClientRect()
    const isWhole = left === 0 && top === 0 && wide === width && high === height
    if (source.backgroundImage !== 'none' && !isWhole) return 'a background image on a page of another size'
    const own = document.body.getBoundingClientRect()
    if (own.left !== 0 || own.top !== 0 || own.width !== width) return 'a body that is not at the left top'
    return undefined
  }

  const layered = (element: Element): string | undefined => {
    if (element.getClientRects().length === 0) return undefined
    if (isMoved(element, realm))
      return `${name(element)} that is placed without a transform (translate(0) beside its place is enough)`
    const style = styleOf(element)
    if (paints(style) || `${style.borderWidth}${style.padding}`.replaceAll(/0px| /g, '') !== '')
      return `${name(element)} with a background, border or padding`
    if (isScaled(element, realm, fits)) return `${name(element)} in another size than its own`
    return undefined
  }

  const inner = (element: Element): string | undefined => {
    if (element.matches(TOP_LAYER)) return `${name(element)} in the top layer`
    if (element instanceof realm.HTMLIFrameElement) {
      const inside = element.contentDocument
      if (!inside) return `${name(element)} of another origin`
      if (inside.querySelector(`${LAYERED},iframe`))
        return `${name(element)} with a canvas, video or frame in it`
    }
    const style = styleOf(element)
    const found = INNER.find(([, is]) => is(style))
    return found && `${found[0]} on ${name(element)}`
  }

  const scan = (root: Element): string | undefined => {
    for (const element of [root, ...root.querySelectorAll('*')]) {
      const reason = inner(element)
      if (reason) return reason
    }
    return undefined
  }

  const rescan = (): string | undefined => {
    records.push(...observer.takeRecords())
    const changed = records
    records = []
    const roots = suspects
    suspects = new Set()
    for (const { type, target, attributeName, addedNodes } of changed) {
      if (type === 'attributes') {
        if (attributeName !== 'style') roots.add(target as Element)
        else if (WATCHED_STYLE.test((target as Element).getAttribute('style') ?? ''))
          roots.add(target as Element)
      } else
        for (const node of addedNodes) {
          if (!(node instanceof realm.Element)) continue
          roots.add(/^(style|link)$/.test(node.localName) ? document.body : node)
        }
    }
    for (const root of roots) {
      const reason = root.isConnected ? scan(root) : undefined
      if (reason) {
        suspects = roots
        return reason
      }
    }
    if (roots.size) volatile = [...document.querySelectorAll(`${LAYERED},iframe`)]
    return undefined
  }

  return {
    isVolatile: () => volatile.length > 0,
    check(stage) {
      sheet.attach()
      const [html, body] = [styleOf(document.documentElement), styleOf(stage.body)]
      const first = begun ? undefined : scan(stage.body)
      if (first !== undefined) suspects.add(stage.body)
      if (!begun) {
        begun = true
        observer.observe(document, { subtree: true, childList: true, attributeFilter: WATCHED })
        volatile = [...document.querySelectorAll(`${LAYERED},iframe`)]
      }
      const reason = first ?? outer() ?? behind(html, body) ?? rescan()
      if (reason !== undefined) return reason
      for (const element of animated()) {
        const turned = element.isConnected ? inner(element) : undefined
        if (turned !== undefined) return turned
      }
      stage.paintBehind(html, body)
      for (const element of volatile)
        if (element.matches(LAYERED)) {
          const moved = layered(element)
          if (moved !== undefined) return moved
        }
      return undefined
    },
  }
}
