import { createPool, type EventOf, type RenderEvent, takesRequests, type VidError, type Warning } from '@vid/kernel'
import { machineMemory } from '@vid/system'
import { createCaptureSlots, hasRoomToOverlap } from '../concurrency/capture-slots.ts'
import { fail } from '../errors.ts'
import type { BatchEvent } from './batch-events.ts'
import { createManifest, type Manifest } from './manifest.ts'
import { lockManifest } from './manifest-lock.ts'
import type { PlannedBatch } from './plan-batch.ts'
import { type EndedRow, type RowScope, runRow } from './run-row.ts'

/** Options and callbacks of a batch. */
export interface BatchOptions {
  /** Rows that capture at once, 1 if left out. */
  readonly concurrency?: number
  /** Starts no row after one that failed. */
  readonly failFast?: boolean
  readonly signal: AbortSignal
  onEvent?(event: BatchEvent): void
  /** Called with each event of a row's render. */
  onRender?(index: number, event: RenderEvent): void
  onWarning?(warning: Warning): void
  /** Called with what the page of a row wrote to its console, each message once a row. */
  onConsole?(index: number, event: EventOf<'console'>): void
  /** Called after every change with the manifest and the progress of each running row, 0 … 1. */
  onProgress?(manifest: Manifest, running: ReadonlyMap<number, number>): void
  /** Called with each row that ended. */
  onEnd?(manifest: Manifest, row: EndedRow): void
}

const createScope = (batch: PlannedBatch, options: BatchOptions, onUnwritable: () => void): RowScope => {
  const { concurrency = 1, failFast = false, signal } = options
  const { onEvent, onRender, onWarning, onConsole, onProgress, onEnd } = options
  const { rows, batchPath, manifestPath } = batch
  const manifest = createManifest(
    batchPath,
    manifestPath,
    rows.map(({ outputPath, variables, row, shape, number }) => ({
      outputPath,
      variables,
      ...(number !== undefined && { number }),
      ...(row !== undefined && { row }),
      ...(shape && { shape }),
    })),
  )
  const running = new Map<number, number>()
  const slots = createCaptureSlots(concurrency, signal)
  const asked = rows[0]?.requests[0]?.workers ?? 'auto'
  // Rows that capture at once already use the cores of this machine.
  const sharesCores = concurrency > 1 && !takesRequests(batch.prepared.kernel.setup.target)
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
    onWarning: (warning) => onWarning?.(warning),
    onConsole: (index, event) => onConsole?.(index, event),
    onChange: () => onProgress?.(manifest.written(), running),
    onEnd: (row) => onEnd?.(manifest.written(), row),
    onFailure: () => failFast && slots.close(),
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

/** Renders all rows, some at once; a failed row stops the others only when that is requested. */
export const runBatch = async (batch: PlannedBatch, options: BatchOptions): Promise<Manifest> => {
  const { concurrency = 1, signal } = options
  const waiting = [...batch.rows]
  const scope = createScope(batch, options, () => {
    waiting.length = 0
    scope.slots.close()
  })
  const { manifest, slots, pool, sounds } = scope
  const work = async () => {
    while (!slots.isClosed() && !signal.aborted) {
      const row = waiting.shift()
      if (!row) return
      await runRow(scope, row)
    }
  }
  // Some rows capture, one prepares, and the others are joined, which waits for disks too.
  const atOnce = Math.min(2 * concurrency + 2, batch.rows.length)
  const unlock = batch.manifestPath === '' ? undefined : await lockManifest(batch.manifestPath)
  try {
    await manifest.save()
    // Running rows still need their browser, also when another row has ended the batch.
    const ends = await Promise.allSettled(Array.from({ length: atOnce }, work))
    for (const each of ends) if (each.status === 'rejected') throw each.reason
    const rest = slots.isClosed() ? manifest.written().rows.filter(({ status }) => status === 'pending') : []
    await Promise.all(rest.map(({ index }) => manifest.change(index, { status: 'skipped' })))
  } finally {
    await Promise.all([pool.close(), sounds.close()])
    await unlock?.()
  }
  const state = manifest.written()
  const { total, completed, failed, skipped } = state
  const { manifestPath } = batch
  if (manifestPath === '') scope.onEvent({ type: 'shapes-complete', ...endsOf(state) })
  else scope.onEvent({ type: 'batch-complete', manifestPath, total, completed, failed, skipped })
  signal.throwIfAborted()
  return state
}

/** The error that a batch with failed rows ends in. */
export const batchFailure = ({ failed, total, manifestPath, rows }: Manifest): VidError => {
  const hasShapes = rows.some(({ row }) => row !== undefined)
  if (manifestPath !== '') return fail('VID_BATCH_FAILED', { failed, total, hasShapes, manifestPath })
  const shapes = rows.filter(({ status }) => status === 'failed').map(({ shape = '' }) => shape)
  return fail('VID_SHAPES_FAILED', { failed: shapes, total })
}
