/** A projected point; a greater `z` is nearer to the viewer. */
interface Point {
  readonly x: number
  readonly y: number
  readonly z: number
}

/** The four projected corners of a flat box. */
export type Plane = readonly Point[]

/** Differences below this many pixels are ignored. */
const EPSILON = 0.01

const pairsOf = (plane: Plane): (readonly [Point, Point])[] =>
  plane.map((point, index) => [point, plane[(index + 1) % plane.length] as Point])

/** Twice the projected area of a plane; negative if its back faces the viewer. */
export const signedArea = (plane: Plane): number =>
  pairsOf(plane).reduce((sum, [one, other]) => sum + one.x * other.y - other.x * one.y, 0)

/** Whether the projections of two planes overlap: no edge separates them. */
const overlap = (one: Plane, other: Plane): boolean =>
  [...pairsOf(one), ...pairsOf(other)].every(([from, to]) => {
    const length = Math.hypot(to.x - from.x, to.y - from.y)
    if (length < EPSILON) return true
    const spanOf = (plane: Plane) => {
      const values = plane.map(({ x, y }) => ((x - from.x) * (to.y - from.y) - (y - from.y) * (to.x - from.x)) / length)
      return [Math.min(...values), Math.max(...values)] as const
    }
    const [lowOne, highOne] = spanOf(one)
    const [lowOther, highOther] = spanOf(other)
    return highOne - lowOther > EPSILON && highOther - lowOne > EPSILON
  })

/** On which side of `plane` the corners of another lie: 1 before it, -1 behind it, 0 in it; undefined on both sides. */
const sideOf = (plane: Plane, other: Plane): -1 | 0 | 1 | undefined => {
  const [a, b, , d] = plane as [Point, Point, Point, Point]
  const u = { x: b.x - a.x, y: b.y - a.y, z: b.z - a.z }
  const v = { x: d.x - a.x, y: d.y - a.y, z: d.z - a.z }
  const normal = { x: u.y * v.z - u.z * v.y, y: u.z * v.x - u.x * v.z, z: u.x * v.y - u.y * v.x }
  const length = Math.hypot(normal.x, normal.y, normal.z)
  const towards = normal.z < 0 ? -1 : 1
  const distances = other.map(
    ({ x, y, z }) => (towards * ((x - a.x) * normal.x + (y - a.y) * normal.y + (z - a.z) * normal.z)) / length,
  )
  const isBefore = distances.some((distance) => distance > EPSILON)
  const isBehind = distances.some((distance) => distance < -EPSILON)
  if (isBefore && isBehind) return undefined
  return isBefore ? 1 : isBehind ? -1 : 0
}

/**
 * The order of two planes for the viewer: 1 if the second covers the first, also if they are coplanar; -1 if the first
 * covers the second; 0 if their projections do not overlap; undefined if they intersect.
 */
export const orderOf = (first: Plane, second: Plane): -1 | 0 | 1 | undefined => {
  const isEdge = (plane: Plane) => Math.abs(signedArea(plane)) < EPSILON
  if (isEdge(first) || isEdge(second) || !overlap(first, second)) return 0
  const side = sideOf(first, second)
  if (side !== undefined) return side === -1 ? -1 : 1
  const opposite = sideOf(second, first)
  return opposite === undefined ? undefined : opposite === 1 ? -1 : 1
}
