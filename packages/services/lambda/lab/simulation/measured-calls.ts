import { type Action, type CallEnd, type CallRecord, readCallRecord } from '../../src/contract/call-records.ts'

/** Times of real calls of one kind of render, in seconds. */
export interface MeasuredCalls {
  readonly planSeconds: number
  /** Of a chunk: for each frame, and apart from its frames. */
  readonly secondsPerFrame: number
  readonly startSeconds: number
  readonly assembleSeconds: number
  /** What a call in a new environment takes longer. */
  readonly coldSeconds: number
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** The straight line through points that is nearest to them; flat when all are at one place. */
const lineThrough = (points: readonly { readonly x: number; readonly y: number }[]) => {
  const middleX = mean(points.map(({ x }) => x))
  const middleY = mean(points.map(({ y }) => y))
  const across = points.reduce((sum, { x }) => sum + (x - middleX) ** 2, 0)
  const rise = points.reduce((sum, { x, y }) => sum + (x - middleX) * (y - middleY), 0)
  const slope = across === 0 ? (middleX === 0 ? 0 : middleY / middleX) : Math.max(0, rise / across)
  return { slope, start: Math.max(0, middleY - slope * middleX) }
}

/** Times of the calls that succeeded, from the records of renders that are alike; undefined if no chunk is among them. */
export const measureCalls = (records: readonly CallRecord[]): MeasuredCalls | undefined => {
  const ended = (action: Action): readonly CallEnd[] =>
    records.flatMap(({ action: of, end }) => (of === action && end?.outcome === 'done' ? [end] : []))
  const seconds = (ends: readonly CallEnd[]) => ends.map(({ billedMs }) => billedMs / 1000)
  const chunks = ended('segment')
  if (chunks.length === 0) return undefined
  const warm = chunks.filter(({ isCold }) => !isCold)
  const counted = warm.length > 0 ? warm : chunks
  const { slope, start } = lineThrough(
    counted.map(({ billedMs, frames, reusedFrames }) => ({ x: frames - reusedFrames, y: billedMs / 1000 })),
  )
  const more = chunks
    .filter(({ isCold }) => isCold)
    .map(({ billedMs, frames, reusedFrames }) => billedMs / 1000 - start - slope * (frames - reusedFrames))
  return {
    planSeconds: median(seconds(ended('plan'))),
    secondsPerFrame: slope,
    startSeconds: start,
    assembleSeconds: median(seconds(ended('assemble'))),
    coldSeconds: warm.length > 0 ? Math.max(0, median(more)) : 0,
  }
}

/** The records of a list of objects, as `aws s3api list-objects-v2` prints it. */
export const recordsOfList = (list: unknown): readonly CallRecord[] => {
  const contents = typeof list === 'object' && list !== null && 'Contents' in list ? list.Contents : undefined
  if (!Array.isArray(contents)) return []
  return contents.flatMap((object: unknown) => {
    if (typeof object !== 'object' || object === null || !('Key' in object)) return []
    const modifiedMs = 'LastModified' in object ? Date.parse(String(object.LastModified)) : Number.NaN
    return readCallRecord(String(object.Key), Number.isNaN(modifiedMs) ? 0 : modifiedMs) ?? []
  })
}
