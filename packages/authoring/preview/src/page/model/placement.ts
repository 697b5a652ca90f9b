import { statedStyle } from './style-fields.ts'

/** A point of the picture, or a distance on it, in pixels of the composition. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** A rectangle of the picture, in pixels of the composition. */
export interface Rect extends Point {
  readonly width: number
  readonly height: number
}

/** A property in pixels that the source states of an element. */
interface Length {
  readonly property: string
  readonly value: number
}

/** What of an element's place and size the source holds in pixels; null parts it does not. */
export interface Placement {
  readonly x: Length | null
  readonly y: Length | null
  readonly width: Length | null
  readonly height: Length | null
}

/** A side of an element that is dragged: -1 for left or top, 1 for right or bottom, 0 for neither. */
export interface Handle {
  readonly x: -1 | 0 | 1
  readonly y: -1 | 0 | 1
}

type Styles = readonly { readonly property: string; readonly value: string; readonly from: string }[]

const lengthOf = (styles: Styles, ...properties: readonly string[]): Length | null => {
  for (const property of properties) {
    const stated = statedStyle(styles, property)
    const [, number] = /^(-?(?:\d+\.?\d*|\.\d+))(?:px|(?<=^-?0+))$/.exec(stated?.value.trim() ?? '') ?? []
    if (stated?.property === property && number !== undefined) return { property, value: Number(number) }
  }
  return null
}

/** Where the source places an element. */
export const placementOf = (styles: Styles): Placement => {
  const position = statedStyle(styles, 'position')?.value.trim()
  const isPlaced = position === 'absolute' || position === 'relative' || position === 'fixed'
  return {
    x: isPlaced ? lengthOf(styles, 'left', 'right') : null,
    y: isPlaced ? lengthOf(styles, 'top', 'bottom') : null,
    width: lengthOf(styles, 'width'),
    height: lengthOf(styles, 'height'),
  }
}

const rounded = (value: number) => `${Math.round(value * 10) / 10}px`

const shifted = (length: Length | null, by: number): readonly (readonly [string, string])[] => {
  if (!length || by === 0) return []
  const isFar = length.property === 'right' || length.property === 'bottom'
  return [[length.property, rounded(length.value + (isFar ? -by : by))]]
}

const sized = (length: Length | null, by: number): readonly (readonly [string, string])[] =>
  length && by !== 0 ? [[length.property, rounded(Math.max(1, length.value + by))]] : []

/** How far the place of a side moves when the size changes at a handle: the other side stays where it is. */
const sideShift = (length: Length | null, handle: -1 | 0 | 1, by: number): number => {
  const isFar = length?.property === 'right' || length?.property === 'bottom'
  return handle === (isFar ? 1 : -1) ? by : 0
}

/** The styles of an element that was moved, or resized at a handle, by pixels of the composition. */
export const placedStyles = (
  { x, y, width, height }: Placement,
  { x: dx, y: dy }: Point,
  handle: Handle | null,
): Readonly<Record<string, string>> => {
  if (!handle) return Object.fromEntries([...shifted(x, dx), ...shifted(y, dy)])
  return Object.fromEntries([
    ...sized(width, handle.x * dx),
    ...sized(height, handle.y * dy),
    ...(width ? shifted(x, sideShift(x, handle.x, dx)) : []),
    ...(height ? shifted(y, sideShift(y, handle.y, dy)) : []),
  ])
}

/** A line that an edge or the middle of an element lies on. */
export interface GuideLine {
  readonly axis: 'x' | 'y'
  readonly at: number
}

/** The lines of rectangles: their edges and middles. */
export const guideLinesOf = (rects: readonly Rect[]): readonly GuideLine[] =>
  rects.flatMap(({ x, y, width, height }): GuideLine[] => [
    ...[x, x + width / 2, x + width].map((at): GuideLine => ({ axis: 'x', at })),
    ...[y, y + height / 2, y + height].map((at): GuideLine => ({ axis: 'y', at })),
  ])

/** The nearest line within reach of some places on an axis, and how far it is; null for none. */
const nearest = (lines: readonly GuideLine[], axis: 'x' | 'y', places: readonly number[], reach: number) => {
  let best: { readonly line: GuideLine; readonly by: number } | null = null
  for (const line of lines)
    for (const place of places) {
      const by = line.at - place
      if (line.axis === axis && Math.abs(by) <= reach && (!best || Math.abs(by) < Math.abs(best.by)))
        best = { line, by }
    }
  return best
}

/** The places on an axis that move with a gesture. */
const movingPlaces = (start: number, size: number, by: number, handle: -1 | 0 | 1 | null): readonly number[] => {
  if (handle === null) return [start + by, start + by + size / 2, start + by + size]
  return handle === 0 ? [] : [handle < 0 ? start + by : start + size + by]
}

/** A distance that was dragged, in whole pixels or to lines that are near, and these lines. */
export const alignDrag = (
  rect: Rect,
  by: Point,
  handle: Handle | null,
  { lines, reach }: { readonly lines: readonly GuideLine[]; readonly reach: number },
): Point & { readonly guides: readonly GuideLine[] } => {
  const x = nearest(lines, 'x', movingPlaces(rect.x, rect.width, by.x, handle?.x ?? null), reach)
  const y = nearest(lines, 'y', movingPlaces(rect.y, rect.height, by.y, handle?.y ?? null), reach)
  return {
    x: x ? by.x + x.by : Math.round(by.x),
    y: y ? by.y + y.by : Math.round(by.y),
    guides: [...(x ? [x.line] : []), ...(y ? [y.line] : [])],
  }
}

/** A rectangle after a gesture. */
export const draggedRect = ({ x, y, width, height }: Rect, by: Point, handle: Handle | null): Rect => {
  if (!handle) return { x: x + by.x, y: y + by.y, width, height }
  return {
    x: handle.x < 0 ? x + by.x : x,
    y: handle.y < 0 ? y + by.y : y,
    width: Math.max(1, width + handle.x * by.x),
    height: Math.max(1, height + handle.y * by.y),
  }
}
