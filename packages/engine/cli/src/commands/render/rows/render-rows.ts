import type { Warning } from '@vid/protocol'
import { type BatchOptions, type Manifest, type PlannedBatch, runBatch } from '@vid/render'
import { problemLine } from '../problem-line.ts'
import type { RenderRun } from '../settings.ts'
import { stopNote } from '../stop-note.ts'
import { waitingText } from '../waiting-text.ts'
import { batchProgress } from './batch-progress.ts'
import { createRowWarnings } from './row-warnings.ts'

/** How rows are rendered, and what is reported of them besides warnings, the console and progress. */
interface RowsOptions
  extends Pick<
    BatchOptions,
    'concurrency' | 'failFast' | 'retries' | 'rows' | 'onlyFailed' | 'fresh' | 'onEvent' | 'onRender' | 'onEnd'
  > {
  /** What a row is called where its console is shown. */
  nameOf(index: number): string
}

/** Renders the rows of a batch, or the shapes of a render, and shows how far they are. */
export const renderRows = async (
  run: Pick<RenderRun, 'stderr' | 'cwd' | 'json' | 'options' | 'progress' | 'report' | 'signal'>,
  batch: PlannedBatch,
  { nameOf, onEnd, onRender, ...options }: RowsOptions,
): Promise<Manifest> => {
  const { signal, json, report } = run
  for (const warning of batch.warnings) report.warn(warning)
  const progress = batchProgress(run)
  const shown = new Set<string>()
  const warnings: Warning[] = []
  const rowWarnings = createRowWarnings(progress.around(report.warn))
  const onStop = () => {
    progress.clear()
    if (!json) report.note(stopNote(signal))
  }
  signal.addEventListener('abort', onStop, { once: true })
  try {
    const manifest = await runBatch(batch, {
      ...options,
      signal,
      onWarning(warning, row) {
        warnings.push(warning)
        if (!row) progress.around(report.warn)(warning)
        else rowWarnings.take(warning, nameOf(row.index), row.warning.message)
        if (row) report.event({ type: 'warning', renderId: row.renderId, warning })
      },
      onConsole(index, event) {
        // Rows load the same page: in text, a message of all of them is shown once.
        const key = `${event.level} ${event.text}`
        if (!shown.has(key)) progress.around(report.console)({ ...event, text: `${nameOf(index)}: ${event.text}` })
        shown.add(key)
        report.event({ ...event })
      },
      onRender(index, event) {
        if (event.type === 'render-waiting') {
          if (!json) progress.around(report.note)(`${nameOf(index)}: ${waitingText(event)}`)
          report.event({ ...event })
        }
        onRender?.(index, event)
      },
      onProgress: progress.update,
      onEnd(manifest, row) {
        progress.ended(manifest, row)
        onEnd?.(manifest, row)
      },
    })
    progress.clear()
    rowWarnings.end()
    const problems = problemLine(warnings, [])
    if (problems !== undefined) report.note(problems)
    return manifest
  } finally {
    signal.removeEventListener('abort', onStop)
    progress.clear()
  }
}
