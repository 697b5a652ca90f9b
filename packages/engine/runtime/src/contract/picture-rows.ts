/** Rows of a picture, from `first` to the one before `end`. In planar pictures both are even, since two rows share a chroma. */
export interface RowBand {
  readonly first: number
  readonly end: number
}

/** The layout of raw pixels: rgba, or planar yuv420p; with `alpha`, a plane of it follows the others. */
export interface RowLayout {
  readonly width: number
  readonly height: number
  readonly planar: boolean
  readonly alpha: boolean
}

/** Fewer unchanged rows than this between two bands belong to them: each band costs more calls. */
const MIN_GAP = 32

/** The bands of rows, given one by one in order; those that are close to each other become one. */
export const createBands = () => {
  const bands: RowBand[] = []
  return {
    bands: bands as readonly RowBand[],
    add(band: RowBand) {
      const last = bands.at(-1)
      if (last && band.first - last.end < MIN_GAP) bands[bands.length - 1] = { first: last.first, end: band.end }
      else bands.push(band)
    },
  }
}

/** The rows of `bands` that are in none of `others`; both are in order. */
export const withoutRows = (bands: readonly RowBand[], others: readonly RowBand[]): RowBand[] =>
  bands.flatMap(({ first, end }) => {
    const rest: RowBand[] = []
    let next = first
    for (const other of others) {
      if (other.end <= next || other.first >= end) continue
      if (other.first > next) rest.push({ first: next, end: other.first })
      next = other.end
    }
    return next < end ? [...rest, { first: next, end }] : rest
  })

/** The parts of a picture's bytes that hold some of its rows, in order. */
export const partsOf = (
  pixels: Uint8Array,
  bands: readonly RowBand[],
  { width, height, planar, alpha }: RowLayout,
): Uint8Array[] => {
  const size = width * height
  const full = { width, shift: 0 }
  const half = { width: width / 2, shift: 1 }
  const planes = planar
    ? [
        { from: 0, ...full },
        { from: size, ...half },
        { from: size * 1.25, ...half },
        ...(alpha ? [{ from: size * 1.5, ...full }] : []),
      ]
    : [{ from: 0, width: width * 4, shift: 0 }]
  const ranges: { from: number; to: number }[] = []
  for (const plane of planes)
    for (const { first, end } of bands) {
      const from = plane.from + (first >> plane.shift) * plane.width
      const to = plane.from + (end >> plane.shift) * plane.width
      const last = ranges.at(-1)
      // A whole picture is one part.
      if (last?.to === from) last.to = to
      else ranges.push({ from, to })
    }
  return ranges.map(({ from, to }) => pixels.subarray(from, to))
}
