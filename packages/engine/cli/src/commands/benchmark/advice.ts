import type { RenderRequestInput, RenderResult } from '@vid/protocol'

export type Quality = NonNullable<RenderRequestInput['quality']>
export type WorkerCount = NonNullable<RenderRequestInput['workers']>

/** The medians of some renders of one kind. */
export interface Measured {
  readonly quality: Quality
  readonly workers: WorkerCount
  readonly frames: number
  readonly wallMs: number
  /** Between the fastest and the slowest of them. */
  readonly spreadMs: number
  /** Frames rendered in a second. */
  readonly fps: number
  /** Length of the video over the time it took. */
  readonly realtime: number
  /** Milliseconds of waiting for the capture engine, and for the encoder, a frame. */
  readonly captureMs: number
  readonly encodeMs: number
  readonly bytes: number
}

/** Such as `2 workers`. */
export const workersText = (workers: WorkerCount): string => `${workers} worker${workers === 1 ? '' : 's'}`

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const spentIn = ({ timings = [], frames }: RenderResult, hooks: readonly string[]) =>
  timings.filter(({ hook }) => hooks.includes(hook)).reduce((sum, { ms }) => sum + ms, 0) / frames

/** The medians of renders of one kind, of which there is at least one. */
export const measure = (quality: Quality, workers: WorkerCount, results: readonly RenderResult[]): Measured => {
  const [{ frames, durationMs, fileSize }] = results as readonly [RenderResult, ...RenderResult[]]
  const times = results.map(({ renderTimeMs }) => renderTimeMs)
  const wallMs = median(times)
  return {
    quality,
    workers,
    frames,
    wallMs,
    bytes: fileSize,
    spreadMs: Math.max(...times) - Math.min(...times),
    fps: (frames / wallMs) * 1000,
    realtime: durationMs / wallMs,
    captureMs: median(results.map((result) => spentIn(result, ['capture']))),
    encodeMs: median(results.map((result) => spentIn(result, ['encode']))),
  }
}

/** A difference below this share of the time is none, however alike the renders of each kind were. */
const ALIKE = 0.03

/** Whether one kind is certainly faster than another: by more than the renders of each kind differ. */
const isFaster = (one: Measured, other: Measured): boolean =>
  other.wallMs - one.wallMs > Math.max(one.spreadMs, other.spreadMs, other.wallMs * ALIKE)

const seconds = ({ wallMs }: Measured): string => `${(wallMs / 1000).toFixed(2)} s`

/** The number of workers to take among kinds of one quality: the fastest, unless `auto` or a smaller number is as fast. */
const best = (kinds: readonly Measured[]): Measured | undefined => {
  const rank = ({ workers }: Measured) => (workers === 'auto' ? 0 : workers)
  return kinds.toSorted((a, b) => rank(a) - rank(b)).find((kind) => !kinds.some((other) => isFaster(other, kind)))
}

/** What the measured renders say about how to render here fastest, a line for each quality. */
export const adviceOn = (measured: readonly Measured[]): string[] => {
  const qualities = [...new Set(measured.map(({ quality }) => quality))]
  return qualities.flatMap((quality) => {
    const kinds = measured.filter((measurement) => measurement.quality === quality)
    const chosen = best(kinds)
    if (!chosen || kinds.length < 2) return []
    const tried = kinds.filter((kind) => kind !== chosen)
    const others = tried.map((kind) => `${kind.workers}: ${seconds(kind)}`).join(', ')
    const isEqual = tried.some((kind) => !isFaster(chosen, kind))
    return [
      `fastest: --quality ${quality} --workers ${chosen.workers} (${seconds(chosen)}; ${others})${
        isEqual ? '; what differs by less than the runs do counts as equal' : ''
      }`,
    ]
  })
}
