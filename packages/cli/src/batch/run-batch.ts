import {
  createKernel,
  createPool,
  isVidError,
  type RenderEvent,
  type RenderRequestInput,
  type RenderResult,
  render,
  type VidError,
} from '@vid/kernel'
import { fail } from '../errors.ts'
import type { Report } from '../report.ts'
import { codedError } from '../report.ts'
import type { Setup } from '../setup.ts'
import { createTurns, holdBack, type Turn } from './capture-turns.ts'
import { createManifest, type Manifest } from './manifest.ts'
import type { PlannedBatch, PlannedRow } from './plan-batch.ts'

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
}

/** A shared browser may end before a row has anything that could be tried again by itself. */
const BROWSER_ENDED = 'VID_BROWSER_CRASHED'

/** Segments of a row, and how many of them were not made anew. */
interface Segments {
  total: number
  reused: number
}

/** Renders the outputs of one row, each once the row has its turn to capture. */
const renderRow = async (
  { kernel: { setup } }: Setup,
  { requests }: PlannedRow,
  turn: Turn,
  share: Pick<RenderRequestInput, 'workers'>,
  options: Parameters<typeof render>[2],
): Promise<RenderResult> => {
  const kernel = createKernel({ ...setup, plugins: [...(setup.plugins ?? []), holdBack(turn)] })
  const waitedMs = turn.waitedMs()
  const results = []
  for (const request of requests) results.push(await render(kernel, { ...request, ...share }, options))
  turn.pass()
  const [first] = results as [RenderResult, ...RenderResult[]]
  const wholeMs = results.reduce((sum, { renderTimeMs }) => sum + renderTimeMs, 0)
  return { ...first, renderTimeMs: Math.max(0, Math.round(wholeMs - (turn.waitedMs() - waitedMs))) }
}

/** Renders all rows, some at once; a row that fails does not stop the others, unless that is asked for. */
export const runBatch = async (
  setup: Setup,
  { rows, manifestPath }: PlannedBatch,
  options: BatchOptions,
): Promise<Manifest> => {
  const { batchPath, concurrency, failFast, signal, report, onProgress } = options
  const manifest = createManifest(
    batchPath,
    manifestPath,
    rows.map(({ outputPath, variables }) => ({ outputPath, variables })),
  )
  const running = new Map<number, number>()
  const shared = createPool()
  const tell = () => onProgress(manifest.written(), running)
  const waiting = [...rows]
  // Rows at once already are the workers of this machine.
  const asked = rows[0]?.requests[0]?.workers ?? 'auto'
  const share = { workers: concurrency > 1 && asked === 'auto' ? 1 : asked }
  // While some rows capture, one more gets ready or is put together.
  const turns = createTurns(concurrency, signal)
  let halted = false

  const end = async (row: PlannedRow, segments: Segments, turn: Turn, work: () => Promise<RenderResult>) => {
    const { index, outputPath } = row
    try {
      const { durationMs, renderTimeMs } = await work()
      const completedAt = new Date().toISOString()
      await manifest.change(index, { status: 'completed', durationMs, renderTimeMs, completedAt })
      report.event({ type: 'batch-row-complete', index, outputPath, durationMs, renderTimeMs, segments })
    } catch (thrown) {
      if (isVidError(thrown) && thrown.code === 'VID_MANIFEST_UNWRITABLE') {
        waiting.length = 0
        turns.close()
        throw thrown
      }
      // It was only got ready.
      if (!turn.hasBegun() && (turns.isClosed() || signal.aborted)) return
      turn.begin()
      const failure = codedError(thrown, signal)
      const { code, message, hint } = failure.toJSON()
      const error = { code, message, hint }
      const completedAt = new Date().toISOString()
      await manifest.change(index, { status: 'failed', error, completedAt })
      report.event({ type: 'batch-row-error', index, outputPath, error: failure.toJSON() })
      report.note(`row ${index} failed: ${code}: ${message}`)
      halted ||= failFast
      if (halted) turns.close()
    } finally {
      // Not before: a failure may be the one after which no row begins.
      turn.pass()
      running.delete(index)
      tell()
    }
  }
  const start = async (row: PlannedRow) => {
    const { index, outputPath } = row
    const turn = turns.enter(() => {
      running.set(index, 0)
      // Its end is written too, and tells of a manifest that cannot be.
      manifest.change(index, { status: 'running', startedAt: new Date().toISOString() }).catch(() => {})
      report.event({ type: 'batch-row-start', index, outputPath })
      tell()
    })
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
      if (event.stage === 'join' || event.stage === 'deliver') turn.pass()
      running.set(index, event.progress)
      report.event({ type: 'batch-row-progress', index, stage: event.stage, progress: event.progress })
      tell()
    }
    const once = () => renderRow(setup, row, turn, share, { signal, shared, onEvent })
    const work = () =>
      once().catch((thrown: unknown) => {
        if (!isVidError(thrown) || thrown.code !== BROWSER_ENDED || signal.aborted) throw thrown
        const message = `row ${index} is rendered again: ${thrown.message}`
        report.warn({ code: 'VID_ROW_RETRIED', message })
        return once()
      })
    await end(row, segments, turn, work)
  }
  const work = async () => {
    for (let row = waiting.shift(); row && !halted && !signal.aborted; row = waiting.shift()) await start(row)
  }

  await manifest.save()
  // Rows that still run need their browser, also when another has ended the batch.
  const ends = await Promise.allSettled(Array.from({ length: Math.min(concurrency + 1, rows.length) }, work))
  await shared.close()
  for (const each of ends) if (each.status === 'rejected') throw each.reason
  if (halted)
    for (const { index, status } of manifest.written().rows)
      if (status === 'pending') await manifest.change(index, { status: 'skipped' })
  const state = manifest.written()
  const { total, completed, failed, skipped } = state
  report.event({ type: 'batch-complete', manifestPath, total, completed, failed, skipped })
  signal.throwIfAborted()
  return state
}

/** The error that a batch with failed rows ends in. */
export const batchFailure = ({ failed, total, manifestPath }: Manifest): VidError =>
  fail('VID_BATCH_FAILED', { failed, total, manifestPath })
