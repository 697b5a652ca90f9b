import { createPool, takesRequests } from '@vid/kernel'
import type { EventOf, RemoteCost, RenderEvent, VidError, Warning } from '@vid/protocol'
import { machineMemory } from '@vid/system'
import { createCaptureSlots, hasRoomToOverlap } from '../concurrency/capture-slots.ts'
import { fail } from '../errors.ts'
import type { BatchEvent } from './batch-events.ts'
import { checkFirstRow } from './check-places.ts'
import { sumCosts } from './cost.ts'
import { decideRows, type RowChoice, type RowDecision } from './earlier-rows.ts'
import { createManifest, type Manifest, type ManifestPlan } from './manifest.ts'
import { lockManifest } from './manifest-lock.ts'
import type { PlannedBatch, PlannedRow } from './planned-row.ts'
import { type EndedRow, type RowScope, type RowWarning, runRow } from './run-row.ts'

/** Options and callbacks of a batch. */
export interface BatchOptions extends RowChoice {
  /** Rows that capture at once, 1 if left out. */
  readonly concurrency?: number
  /** Starts no row after one that failed. */
  readonly failFast?: boolean
  /**
   * Times that a row is started again after a fault of a machine, 2 on other machines and 0 on this one if left out; it
   * then comes after the rows that wait.
   */
  readonly retries?: number | undefined
  readonly signal: AbortSignal
  onEvent?(event: BatchEvent): void
  /** Called with each event of a row's render. */
  onRender?(index: number, event: RenderEvent): void
  /** Called with each warning; its message names the row that it is about. */
  onWarning?(warning: Warning, row?: RowWarning): void
  /** Called with what the page of a row wrote to its console, each message once a row. */
  onConsole?(index: number, event: EventOf<'console'>): void
  /** Called after every change with the manifest and the progress of each running row, 0 … 1. */
  onProgress?(manifest: Manifest, running: ReadonlyMap<number, number>): void
  /** Called with each row that ended. */
  onEnd?(manifest: Manifest, row: EndedRow): void
}

/** A row that fails on another machine may succeed on the next one. */
const REMOTE_RETRIES = 2

const createScope = (
  batch: PlannedBatch,
  options: BatchOptions,
  { manifest, onUnwritable }: Pick<RowScope, 'manifest' | 'onUnwritable'>,
): RowScope => {
  const { concurrency = 1, failFast = false, signal } = options
  const { onEvent, onRender, onWarning, onConsole, onProgress, onEnd } = options
  const { rows } = batch
  const isElsewhere = takesRequests(batch.prepared.kernel.setup.target)
  const takeRetry = countRetries(options.retries ?? (isElsewhere ? REMOTE_RETRIES : 0))
  const running = new Map<number, number>()
  const slots = createCaptureSlots(concurrency, signal)
  const asked = rows[0]?.requests[0]?.workers ?? 'auto'
  // Rows that capture at once already use the cores of this machine.
  const sharesCores = concurrency > 1 && !isElsewhere
  return {
    batch,
    manifest,
    running,
    slots,
    signal,
    onUnwritable,
    // A row that is preparing needs no further browser.
    pool: createPool({ max: concurrency }),
    sounds: createPool({ max: 1 }),
    workers: { workers: sharesCores && asked === 'auto' ? 1 : asked },
    overlaps: hasRoomToOverlap(concurrency, machineMemory()),
    onEvent: (event) => onEvent?.(event),
    onRender: (index, event) => onRender?.(index, event),
    onWarning: (warning, row) => onWarning?.(warning, row),
    onConsole: (index, event) => onConsole?.(index, event),
    onChange: () => onProgress?.(manifest.written(), running),
    onEnd: (row) => onEnd?.(manifest.written(), row),
    takeRetry: (index, { fault }) => fault === 'machine' && !slots.isClosed() && !signal.aborted && takeRetry(index),
    onFailure: () => failFast && slots.close(),
  }
}

/** Counts the tries of each row. */
const countRetries = (most: number) => {
  const tries = new Map<number, number>()
  return (index: number): boolean => {
    const count = tries.get(index) ?? 0
    tries.set(index, count + 1)
    return count < most
  }
}

/** How the shapes of one render have ended. */
const endsOf = ({ rows, completed, failed, skipped, total }: Manifest): Omit<EventOf<'shapes-complete'>, 'type'> => ({
  total,
  completed,
  failed,
  skipped,
  results: rows.map(({ shape = '', status, outputPath, durationMs, renderTimeMs, error }) => ({
    shape,
    status: status === 'completed' || status === 'failed' ? status : 'skipped',
    outputPath,
    durationMs,
    renderTimeMs,
    error,
  })),
})

/** What the manifest says of a row before anything is rendered. */
const manifestPlan = ({ row: planned, plan, action, earlier }: RowDecision): ManifestPlan => {
  const { outputPath, variables, row, shape, number } = planned
  const now = {
    outputPath,
    variables,
    ...(row !== undefined && { row }),
    ...(shape && { shape }),
    ...(number !== undefined && { number }),
    plan,
  }
  // A row that failed counts as failed until it is done, also where this batch ends before it.
  if (action === 'render') return { ...now, ...(earlier?.error && { error: earlier.error }) }
  if (!earlier) return now
  const { index: _index, row: _row, shape: _shape, number: _number, ...left } = earlier
  // What a killed batch was rendering is not rendered any more.
  const status = left.status === 'running' ? ('pending' as const) : left.status
  return { ...now, ...left, status, isUnchanged: action === 'unchanged' }
}

const reportUnchanged = (decisions: readonly RowDecision[], { onEvent }: BatchOptions): void => {
  for (const { row, action, earlier } of decisions)
    if (action === 'unchanged')
      onEvent?.({
        type: 'batch-row-unchanged',
        index: row.index,
        outputPath: row.outputPath,
        durationMs: earlier?.durationMs ?? 0,
      })
}

/** Renders the rows of a scope until none is left or no further one may start. */
const workOff = async (scope: RowScope, waiting: PlannedRow[], concurrency: number): Promise<void> => {
  const { slots, signal, manifest } = scope
  const atOnce = Math.min(2 * concurrency + 2, waiting.length)
  const chosen = new Set(waiting.map(({ index }) => index))
  const work = async () => {
    while (!slots.isClosed() && !signal.aborted) {
      const row = waiting.shift()
      if (!row) return
      if (await runRow(scope, row)) waiting.push(row)
    }
  }
  // Some rows capture, one prepares, and the others are joined, which waits for disks too. Running rows still need their
  // browser, also when another row has ended the batch.
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, work))
  for (const each of ends) if (each.status === 'rejected') throw each.reason
  const isLeft = ({ index, status }: Manifest['rows'][number]) => status === 'pending' && chosen.has(index)
  const rest = slots.isClosed() ? manifest.written().rows.filter(isLeft) : []
  await Promise.all(rest.map(({ index }) => manifest.change(index, { status: 'skipped' })))
}

/**
 * Renders all rows that are chosen and have changed since an earlier run, some at once; a failed row stops the others
 * only when that is requested.
 */
export const runBatch = async (batch: PlannedBatch, options: BatchOptions): Promise<Manifest> => {
  const { concurrency = 1, signal } = options
  const { batchPath, manifestPath } = batch
  const unlock = manifestPath === '' ? undefined : await lockManifest(manifestPath)
  try {
    const decisions = await decideRows(batch, options, signal)
    const waiting = decisions.flatMap(({ row, action }) => (action === 'render' ? [row] : []))
    if (waiting[0]) await checkFirstRow(batch, waiting[0], signal)
    const manifest = createManifest(batchPath, manifestPath, decisions.map(manifestPlan))
    const onUnwritable = () => {
      waiting.length = 0
      scope.slots.close()
    }
    const costs: (RemoteCost | undefined)[] = []
    const onEnd = (state: Manifest, row: EndedRow) => {
      costs.push(row.cost)
      options.onEnd?.(state, row)
    }
    const scope = createScope(batch, { ...options, onEnd }, { manifest, onUnwritable })
    try {
      await manifest.save()
      reportUnchanged(decisions, options)
      await workOff(scope, waiting, concurrency)
    } finally {
      await Promise.all([scope.pool.close(), scope.sounds.close()])
    }
    const state = manifest.written()
    const { total, completed, failed, skipped, cancelled, unchanged } = state
    const cost = sumCosts(costs)
    if (manifestPath === '') scope.onEvent({ type: 'shapes-complete', ...endsOf(state) })
    else
      scope.onEvent({
        type: 'batch-complete',
        manifestPath,
        total,
        completed,
        failed,
        skipped,
        cancelled,
        unchanged,
        ...(cost && { cost }),
      })
    signal.throwIfAborted()
    return state
  } finally {
    await unlock?.()
  }
}

/** The error that a batch with failed rows ends in. */
export const batchFailure = ({ failed, total, manifestPath, rows }: Manifest): VidError => {
  const hasShapes = rows.some(({ row }) => row !== undefined)
  if (manifestPath !== '') return fail('VID_BATCH_FAILED', { failed, total, hasShapes, manifestPath })
  const shapes = rows.filter(({ status }) => status === 'failed').map(({ shape = '' }) => shape)
  return fail('VID_SHAPES_FAILED', { failed: shapes, total })
}
