import { randomUUID } from 'node:crypto'
import { type SharedPool, takesRequests } from '@vid/kernel'
import type {
  EventOf,
  RemoteCost,
  RenderEvent,
  RenderRequestInput,
  RenderResult,
  VidError,
  Warning,
} from '@vid/protocol'
import type { CaptureSlot, CaptureSlots } from '../concurrency/capture-slots.ts'
import { renderWithRetry } from '../concurrency/render-with-retry.ts'
import { fail } from '../errors.ts'
import { codedError } from '../failure/coded-error.ts'
import { renderWarning } from '../warnings.ts'
import type { BatchEvent, SegmentCount } from './batch-events.ts'
import { sumCosts } from './cost.ts'
import { type BatchManifest, type ManifestRow, rowLabel } from './manifest.ts'
import type { PlannedBatch, PlannedRow } from './planned-row.ts'
import { readRowFiles } from './row-files.ts'

/** A row that was rendered, or that failed. */
export interface EndedRow {
  readonly index: number
  readonly renderId: string
  readonly outputPath: string
  readonly segments: SegmentCount
  /** One for each capture; none of a row that failed. */
  readonly results: readonly RenderResult[]
  /** What the machines of another side have cost. */
  readonly cost?: RemoteCost
  readonly failure?: VidError
  /** Whether it was interrupted. */
  readonly isCancelled?: true
}

/** A warning that is about one row. */
export interface RowWarning {
  readonly index: number
  readonly renderId: string
  /** As the render gave it: its message does not name the row. */
  readonly warning: Warning
}

/** The row and the render that an event is about. */
interface RowIdentity {
  readonly index: number
  readonly renderId: string
  /** What messages call the row, at the start of a sentence. */
  readonly label: string
}

/** State that the rows of a batch share. */
export interface RowScope {
  readonly batch: PlannedBatch
  readonly manifest: BatchManifest
  readonly slots: CaptureSlots
  readonly pool: SharedPool
  /** Sounds that rows have in common. */
  readonly sounds: SharedPool
  /** Progress of each running row, 0 … 1. */
  readonly running: Map<number, number>
  readonly workers: Pick<RenderRequestInput, 'workers'>
  /** Whether rows may capture while as many others are still encoded. */
  readonly overlaps: boolean
  readonly signal: AbortSignal
  onEvent(event: BatchEvent): void
  onRender(index: number, event: RenderEvent): void
  onWarning(warning: Warning, row?: RowWarning): void
  /** Called with what the page of a row wrote to its console. */
  onConsole(index: number, event: EventOf<'console'>): void
  /** Called after every change. */
  onChange(): void
  /** Called with a row that has ended, before its end is known to be written. */
  onEnd(row: EndedRow): void
  /** Whether a row that failed is started once more, after those that wait. */
  takeRetry(index: number, failure: VidError): boolean
  /** Called when a row has failed. */
  onFailure(): void
  /** Called when the manifest can no longer be written. */
  onUnwritable(): void
}

type RowProgress = EventOf<'batch-row-progress'>

/** At most four events a second, and those that begin a stage. */
const EVENT_MS = 250

const throttleRow = (pass: (event: RowProgress) => void) => {
  let last = { stage: '', ms: -Infinity }
  return (event: RowProgress) => {
    const ms = performance.now()
    if (event.stage === last.stage && event.progress < 1 && ms - last.ms < EVENT_MS) return
    last = { stage: event.stage, ms }
    pass(event)
  }
}

/** Counts a row's segments and passes on its progress and warnings. */
const followRow = (scope: RowScope, { index, renderId, label }: RowIdentity, slot: CaptureSlot) => {
  // The capture and the join of a request that is rendered elsewhere are not of this machine.
  const isElsewhere = takesRequests(scope.batch.prepared.kernel.setup.target)
  const segments = { total: 0, reused: 0 }
  const pass = throttleRow((event) => scope.onEvent(event))
  const warn = (warning: Warning) => {
    const isAboutValues = warning.code.startsWith('VID_VARIABLE_')
    // Wrong values were reported for all rows of a batch before the first one started, and are those of every shape.
    if (isAboutValues && (scope.batch.manifestPath !== '' || index > 0)) return
    if (isAboutValues) scope.onWarning(warning)
    else scope.onWarning({ ...warning, message: `${label}: ${warning.message}` }, { index, renderId, warning })
  }
  const onEvent = (event: RenderEvent) => {
    scope.onRender(index, event)
    if (event.type === 'warning') warn(event.warning)
    if (event.type === 'console') scope.onConsole(index, event)
    if (event.type === 'segment-complete') {
      segments.total += 1
      if (event.reused !== undefined) segments.reused += 1
    }
    if (event.type !== 'render-progress' || !slot.hasStarted()) return
    const { stage, framesRendered, totalFrames, progress } = event
    const isCaptured = stage === 'render' && framesRendered > 0 && framesRendered === totalFrames
    if (isCaptured && scope.overlaps && !isElsewhere) slot.captured()
    if ((stage === 'join' && !isElsewhere) || stage === 'deliver') slot.release()
    scope.running.set(index, progress)
    pass({ type: 'batch-row-progress', index, renderId, stage, progress })
    scope.onChange()
  }
  return { segments, onEvent }
}

interface Outcome {
  readonly change: Partial<ManifestRow>
  readonly ended: EndedRow
  readonly event: BatchEvent
}

const succeeded = (ended: EndedRow, results: readonly RenderResult[]): Outcome => {
  const { index, renderId, outputPath, segments } = ended
  const renderTimeMs = results.reduce((sum, result) => sum + result.renderTimeMs, 0)
  const times = { durationMs: results[0]?.durationMs ?? 0, renderTimeMs }
  const cost = sumCosts(results.map((result) => result.cost))
  const spent = cost && { cost }
  return {
    change: { status: 'completed', error: null, ...times, ...spent },
    ended: { ...ended, results, ...spent },
    event: { type: 'batch-row-complete', index, renderId, outputPath, ...times, segments, ...spent },
  }
}

const failed = (ended: EndedRow, failure: VidError): Outcome => {
  const { index, renderId, outputPath } = ended
  const { code, message, hint } = failure.toJSON()
  if (code === 'VID_CANCELLED')
    return {
      change: { status: 'cancelled' },
      ended: { ...ended, isCancelled: true },
      event: { type: 'batch-row-cancelled', index, renderId, outputPath },
    }
  return {
    change: { status: 'failed', error: { code, message, hint } },
    ended: { ...ended, failure },
    event: { type: 'batch-row-error', index, renderId, outputPath, error: failure.toJSON() },
  }
}

/** Writes how a row ended, and reports it even when writing failed, since its video exists. */
const settle = async (scope: RowScope, { change, ended, event }: Outcome): Promise<void> => {
  const completedAt = new Date().toISOString()
  const writing = scope.manifest.change(ended.index, { ...change, completedAt })
  await writing.catch(() => scope.onUnwritable())
  scope.onEvent(event)
  scope.onEnd(ended)
  await writing
}

/** The end of a row; undefined if it was still being prepared when the batch stopped starting rows. */
const renderRow = async (
  scope: RowScope,
  { index, renderId, label, outputPath, requests }: PlannedRow & RowIdentity,
  slot: CaptureSlot,
): Promise<Outcome | undefined> => {
  const { batch, pool, sounds, signal, slots, workers } = scope
  const { segments, onEvent } = followRow(scope, { index, renderId, label }, slot)
  const ended = { index, renderId, outputPath, segments, results: [] }
  try {
    const results = await renderWithRetry({
      setup: batch.prepared.kernel.setup,
      requests: requests.map((request) => ({ ...request, ...workers })),
      slot,
      options: { renderId, signal, shared: pool, sounds, onEvent },
      onRetry: ({ message }) => scope.onWarning(renderWarning('VID_ROW_RETRIED', { row: label, reason: message })),
    })
    const outcome = succeeded(ended, results)
    const files = batch.manifestPath === '' ? null : await readRowFiles({ requests })
    return { ...outcome, change: { ...outcome.change, files } }
  } catch (thrown) {
    if (!slot.hasStarted() && (slots.isClosed() || signal.aborted)) return undefined
    slot.start()
    const failure = codedError(thrown, signal)
    // Nobody here has cancelled it.
    const isStopped = failure.code === 'VID_CANCELLED' && !signal.aborted
    return failed(ended, isStopped ? fail('VID_ROW_STOPPED', { row: label }, { cause: thrown }) : failure)
  }
}

/** Records that a failed row waits for another try; false if it has none left. */
const waitForRetry = async (scope: RowScope, { index, label }: RowIdentity, failure: VidError): Promise<boolean> => {
  if (!scope.takeRetry(index, failure)) return false
  scope.onWarning(renderWarning('VID_ROW_RETRIED', { row: label, reason: failure.message }))
  await scope.manifest.change(index, { status: 'pending', startedAt: null }).catch(() => scope.onUnwritable())
  return true
}

/**
 * Renders one row once a slot is free, and records its end; does nothing once no further row starts. Resolves to whether
 * the row waits for another try.
 */
export const runRow = async (scope: RowScope, row: PlannedRow): Promise<boolean> => {
  const { manifest, slots, running } = scope
  const { index, outputPath } = row
  const renderId = randomUUID()
  const name = rowLabel(scope.batch, row)
  const label = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const slot = await slots.enter(() => {
    running.set(index, 0)
    // A failure to write the manifest is reported when the row's end is written.
    manifest.change(index, { status: 'running', startedAt: new Date().toISOString() }).catch(() => {})
    scope.onEvent({ type: 'batch-row-start', index, renderId, outputPath })
    scope.onChange()
  })
  if (!slot) return false
  try {
    const outcome = await renderRow(scope, { ...row, renderId, label }, slot)
    const failure = outcome?.ended.failure
    if (failure && (await waitForRetry(scope, { index, renderId, label }, failure))) return true
    if (failure) scope.onFailure()
    if (outcome) await settle(scope, outcome)
    return false
  } finally {
    // Not earlier: after this failure, no further row may start.
    slot.release()
    running.delete(index)
    scope.onChange()
  }
}
