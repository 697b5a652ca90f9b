import { createPool, machineMemory, type RenderEvent, type RenderResult, type VidError } from '@vid/kernel'
import { fail } from '../errors.ts'
import { type CliEvent, codedError, type Report } from '../report.ts'
import type { Setup } from '../setup.ts'
import { createTurns, hasRoomToOverlap, type Turn } from './capture-turns.ts'
import { createManifest, type Manifest, type ManifestRow } from './manifest.ts'
import { lockManifest } from './manifest-lock.ts'
import type { PlannedBatch, PlannedRow } from './plan-batch.ts'
import { renderRow } from './row-render.ts'

export interface BatchOptions {
  /** Absolute. */
  readonly batchPath: string
  /** Rows rendered at once. */
  readonly concurrency: number
  readonly failFast: boolean
  readonly signal: AbortSignal
  readonly report: Report
  /** Told after every change: what is done, and how far each running row is, 0 … 1. */
  onProgress(manifest: Manifest, running: ReadonlyMap<number, number>): void
  /** Told of each row that has ended. */
  onEnd(manifest: Manifest, row: EndedRow): void
}

/** Segments of a row, and how many of them were not made anew. */
interface Segments {
  total: number
  reused: number
}

/** A row that was rendered, or that failed. */
export interface EndedRow {
  readonly index: number
  readonly outputPath: string
  readonly segments: Readonly<Segments>
  readonly failure?: VidError
}

/** Renders all rows, some at once; a row that fails does not stop the others, unless that is asked for. */
export const runBatch = async (
  setup: Setup,
  { rows, manifestPath }: PlannedBatch,
  options: BatchOptions,
): Promise<Manifest> => {
  const { batchPath, concurrency, failFast, signal, report, onProgress, onEnd } = options
  const manifest = createManifest(
    batchPath,
    manifestPath,
    rows.map(({ outputPath, variables }) => ({ outputPath, variables })),
  )
  const running = new Map<number, number>()
  // A row that gets ready needs no browser of its own.
  const shared = createPool({ max: concurrency })
  const tell = () => onProgress(manifest.written(), running)
  const waiting = [...rows]
  // Rows at once already are the workers of this machine.
  const asked = rows[0]?.requests[0]?.workers ?? 'auto'
  const share = { workers: concurrency > 1 && asked === 'auto' ? 1 : asked }
  const turns = createTurns(concurrency, signal)
  const overlaps = hasRoomToOverlap(concurrency, machineMemory())
  // Some capture, one gets ready, and the rest are put together, which waits for disks too.
  const most = 2 * concurrency + 2
  let halted = false

  /** Writes how a row ended, and then tells it, also when it could not be written: its video is there. */
  const settle = async (change: Partial<ManifestRow>, ended: EndedRow, event: CliEvent) => {
    const writing = manifest.change(ended.index, { ...change, completedAt: new Date().toISOString() })
    await writing.catch(() => {
      waiting.length = 0
      turns.close()
    })
    report.event(event)
    onEnd(manifest.written(), ended)
    await writing
  }
  const end = async (row: PlannedRow, segments: Segments, turn: Turn, work: () => Promise<RenderResult>) => {
    const { index, outputPath } = row
    const ended = { index, outputPath, segments }
    try {
      const { durationMs, renderTimeMs } = await work()
      const made = { durationMs, renderTimeMs }
      const event = { type: 'batch-row-complete', index, outputPath, ...made, segments }
      return { change: { status: 'completed' as const, ...made }, ended, event }
    } catch (thrown) {
      // It was only got ready.
      if (!turn.hasBegun() && (turns.isClosed() || signal.aborted)) return undefined
      turn.begin()
      halted ||= failFast
      if (halted) turns.close()
      const failure = codedError(thrown, signal)
      const { code, message, hint } = failure.toJSON()
      const event = { type: 'batch-row-error', index, outputPath, error: failure.toJSON() }
      const change = { status: 'failed' as const, error: { code, message, hint } }
      return { change, ended: { ...ended, failure }, event }
    }
  }
  const start = async (row: PlannedRow) => {
    const { index, outputPath } = row
    const turn = await turns.enter(() => {
      running.set(index, 0)
      // Its end is written too, and tells of a manifest that cannot be.
      manifest.change(index, { status: 'running', startedAt: new Date().toISOString() }).catch(() => {})
      report.event({ type: 'batch-row-start', index, outputPath })
      tell()
    })
    if (!turn) return
    const segments = { total: 0, reused: 0 }
    const onEvent = (event: RenderEvent) => {
      // Values that do not fit were told of all rows before the first.
      if (event.type === 'warning' && !event.warning.code.startsWith('VID_VARIABLE_'))
        report.warn({ ...event.warning, message: `row ${index}: ${event.warning.message}` })
      if (event.type === 'segment-complete') {
        segments.total += 1
        if (event.reused !== undefined) segments.reused += 1
      }
      if (event.type !== 'render-progress' || !turn.hasBegun()) return
      const { stage, framesRendered, totalFrames } = event
      const isCaptured = stage === 'render' && framesRendered > 0 && framesRendered === totalFrames
      if (isCaptured && overlaps) turn.captured()
      if (stage === 'join' || stage === 'deliver') turn.pass()
      running.set(index, event.progress)
      report.event({ type: 'batch-row-progress', index, stage: event.stage, progress: event.progress })
      tell()
    }
    const work = () => renderRow(setup, row, turn, share, { signal, shared, onEvent, warn: report.warn })
    try {
      const outcome = await end(row, segments, turn, work)
      if (outcome) await settle(outcome.change, outcome.ended, outcome.event)
    } finally {
      // Not before: a failure may be the one after which no row begins.
      turn.pass()
      running.delete(index)
      tell()
    }
  }
  const work = async () => {
    for (let row = waiting.shift(); row && !halted && !signal.aborted; row = waiting.shift()) await start(row)
  }

  const unlock = await lockManifest(manifestPath)
  try {
    await manifest.save()
    // Rows that still run need their browser, also when another has ended the batch.
    const ends = await Promise.allSettled(Array.from({ length: Math.min(most, rows.length) }, work))
    for (const each of ends) if (each.status === 'rejected') throw each.reason
    const rest = halted ? manifest.written().rows.filter(({ status }) => status === 'pending') : []
    await Promise.all(rest.map(({ index }) => manifest.change(index, { status: 'skipped' })))
  } finally {
    await shared.close()
    await unlock()
  }
  const state = manifest.written()
  const { total, completed, failed, skipped } = state
  report.event({ type: 'batch-complete', manifestPath, total, completed, failed, skipped })
  signal.throwIfAborted()
  return state
}

/** The error that a batch with failed rows ends in. */
export const batchFailure = ({ failed, total, manifestPath }: Manifest): VidError =>
  fail('VID_BATCH_FAILED', { failed, total, manifestPath })
