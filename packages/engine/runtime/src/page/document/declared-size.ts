import { natives } from '../realm/natives.ts'
import type { RuntimeSheet } from './sheet.ts'

const SIDES = ['width', 'height'] as const
type Side = (typeof SIDES)[number]

/** The root of an embedded file with a declared size, and the element that embeds it. */
interface DeclaredRoot {
  readonly root: HTMLElement
  readonly host: HTMLElement
  /** Pixels. */
  readonly declared: Readonly<Record<Side, number>>
}

const pixels = (element: Element, side: Side): number => {
  const text = element.getAttribute(`data-${side}`)?.trim() ?? ''
  return /^\d+$/.test(text) ? Number(text) : 0
}

/** The declared roots among elements and directly inside them. */
const declaredRoots = (elements: readonly HTMLElement[]): DeclaredRoot[] =>
  elements
    .flatMap((element) => [element, ...element.children])
    .flatMap((root) => {
      const host = root.parentElement
      const isRoot = root instanceof HTMLElement && root.matches('[data-vid-instance]>[data-composition-id]')
      const declared = { width: pixels(root, 'width'), height: pixels(root, 'height') }
      return isRoot && host && declared.width > 0 && declared.height > 0 ? [{ root, host, declared }] : []
    })

const sum = (style: CSSStyleDeclaration, names: readonly string[]): number =>
  names.reduce((total, name) => total + Number.parseFloat(style.getPropertyValue(name)), 0)

const paddings = { width: ['padding-left', 'padding-right'], height: ['padding-top', 'padding-bottom'] }
const borders = {
  width: ['border-left-width', 'border-right-width'],
  height: ['border-top-width', 'border-bottom-width'],
}

/** Whether a box has its own size along a side, independent of its content, which is removed during the check. */
const hasOwn = (host: HTMLElement, side: Side): boolean => {
  const inside = side === 'width' ? host.clientWidth : host.clientHeight
  return inside - sum(natives.getComputedStyle(host), paddings[side]) > 0
}

/** Whether the styles of an element do not set a side; without the interface, a rule of any specificity counts. */
const isOpen = (element: Element, side: Side): boolean =>
  !('computedStyleMap' in element) || String(element.computedStyleMap().get(side)) === 'auto'

/** The value that a side of a root needs; undefined if the layout of its host determines it. */
const sizeOf = ({ root, host, declared }: DeclaredRoot, side: Side, isTimed: boolean): string | undefined => {
  if (!isOpen(root, side)) return undefined
  const style = natives.getComputedStyle(root)
  const around = style.boxSizing === 'border-box' ? 0 : sum(style, [...paddings[side], ...borders[side]])
  if (!hasOwn(host, side)) return `${declared[side] - around}px`
  const isArranged = /flex|grid/.test(natives.getComputedStyle(host).display)
  if (isArranged || (side === 'width' && !isTimed)) return undefined
  return around === 0 ? '100%' : `calc(100% - ${around}px)`
}

/** Runs a call while elements do not contribute to the sizes of their ancestors. */
const outOfFlow = <T>(elements: readonly HTMLElement[], call: () => T): T => {
  const before = elements.map(({ style }) => ({
    value: style.getPropertyValue('position'),
    priority: style.getPropertyPriority('position'),
  }))
  for (const { style } of elements) style.setProperty('position', 'absolute', 'important')
  const result = call()
  for (const [index, { style }] of elements.entries()) {
    style.removeProperty('position')
    style.setProperty('position', before[index]?.value ?? '', before[index]?.priority)
  }
  return result
}

/**
 * Gives the roots of embedded files a size, so that percentages inside them resolve: that of the host
 * if it has one, otherwise the declared size. Styles of the page take precedence.
 */
export const createDeclaredSizes = (sheet: Pick<RuntimeSheet, 'add'>) => {
  const sized = new WeakSet<Element>()
  return (elements: readonly HTMLElement[]): void => {
    const roots = declaredRoots(elements).filter(({ root }) => !sized.has(root))
    if (roots.length === 0) return
    for (const { root } of roots) sized.add(root)
    const values = outOfFlow(
      roots.map(({ root }) => root),
      () =>
        roots.flatMap((root) =>
          SIDES.map((side) => ({
            ...root,
            side,
            value: sizeOf(root, side, root.root.matches('[data-start]')),
          })),
        ),
    )
    for (const { root, side, value } of values)
      if (value !== undefined) {
        root.setAttribute(`data-vid-${side}`, value)
        sheet.add(`:where([data-vid-${side}="${value}"]){${side}:${value}}`)
      }
  }
}
