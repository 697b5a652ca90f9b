import { shortPath } from '@vid/command'
import type { Warning } from '@vid/kernel'
import { batchFailure, openContext, planBatch, readRows, runBatch } from '@vid/render'
import { batchProgress } from './batch-progress.ts'
import { problemLine } from './problem-line.ts'
import { type RenderRun, renderSettings, warnOfForeignOptions } from './settings.ts'

/** `vid render --batch`: renders a folder once for each row of a file. */
export const runRenderBatch = async (run: RenderRun): Promise<void> => {
  const { cwd, env, signal, json, options, report, spelling, unguarded } = run
  warnOfForeignOptions(options, report)
  const { batch: batchPath = '', 'batch-concurrency': concurrency = 1 } = options
  const rows = await readRows(batchPath, cwd, signal)
  const open = await openContext({ cwd, env, spelling, loading: unguarded })
  const batch = await planBatch({ ...renderSettings(run), rows, batchPath }, open, signal)
  for (const warning of batch.warnings) report.warn(warning)
  const progress = batchProgress(run)
  const shown = new Set<string>()
  const warnings: Warning[] = []
  const onStop = () => {
    progress.clear()
    if (!json) report.note('stopping; once more to stop at once')
  }
  signal.addEventListener('abort', onStop, { once: true })
  try {
    const manifest = await runBatch(batch, {
      concurrency,
      failFast: options['batch-fail-fast'] === true,
      signal,
      onEvent: report.event,
      onWarning(warning) {
        warnings.push(warning)
        progress.around(report.warn)(warning)
      },
      onConsole(index, event) {
        // Rows load the same page: in text, a message of all of them is shown once.
        const key = `${event.level} ${event.text}`
        if (!shown.has(key)) progress.around(report.console)({ ...event, text: `row ${index}: ${event.text}` })
        shown.add(key)
        report.event({ ...event })
      },
      onProgress: progress.update,
      onEnd: progress.ended,
    })
    progress.clear()
    const { completed, failed, skipped, total, manifestPath } = manifest
    const [next] = manifest.rows.filter(({ status }) => status === 'skipped')
    const rest = [failed > 0 ? `${failed} failed` : '', next ? `${skipped} skipped from row ${next.index} on` : '']
    const problems = problemLine(warnings, [])
    if (problems !== undefined) report.note(problems)
    report.note([`done: ${completed} of ${total} rows`, ...rest.filter(Boolean)].join(', '))
    report.result(shortPath(manifestPath, cwd))
    if (failed > 0) throw batchFailure(manifest)
  } finally {
    signal.removeEventListener('abort', onStop)
    progress.clear()
  }
}
