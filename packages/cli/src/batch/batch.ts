import { resolve } from 'node:path'
import type { GivenFlags } from '../flag-check.ts'
import type { CliContext } from '../flag-command.ts'
import { shortPath } from '../output.ts'
import { requireLint } from '../render-lint.ts'
import { createReport } from '../report.ts'
import { openSetup } from '../setup.ts'
import { batchProgress } from './batch-progress.ts'
import { planBatch } from './plan-batch.ts'
import { readRows } from './rows.ts'
import { batchFailure, runBatch } from './run-batch.ts'

/** `vid render --batch`: renders a folder once for each row of a file. */
export const runRenderBatch = async (dir: string, given: GivenFlags, context: CliContext): Promise<void> => {
  const { cwd, signal } = context
  const report = createReport({ ...context, json: given.json === true, quiet: given.quiet === true })
  const setup = await openSetup(dir, given, context)
  const { batch: batchPath = '', 'batch-concurrency': concurrency = 1 } = setup.flags
  const rows = await readRows(batchPath, cwd)
  const planned = await planBatch(setup, rows, setup.flags.output, signal)
  for (const warning of [...setup.warnings, ...planned.warnings]) report.warn(warning)
  await requireLint(setup, { dir, given, signal })
  const progress = batchProgress(context, report, given)
  const onStop = () => {
    progress.clear()
    if (!given.json) report.note('stopping; once more to stop at once')
  }
  signal.addEventListener('abort', onStop, { once: true })
  try {
    const manifest = await runBatch(setup, planned, {
      batchPath: resolve(cwd, batchPath),
      concurrency,
      failFast: setup.flags['batch-fail-fast'] === true,
      signal,
      report: { ...report, note: progress.around(report.note), warn: progress.around(report.warn) },
      onProgress: progress.update,
      onEnd: progress.ended,
    })
    progress.clear()
    const { completed, failed, skipped, total, manifestPath } = manifest
    const [next] = manifest.rows.filter(({ status }) => status === 'skipped')
    const rest = [
      failed > 0 ? `${failed} failed` : '',
      next ? `${skipped} skipped from row ${next.index} on` : '',
    ]
    report.note([`done: ${completed} of ${total} rows`, ...rest.filter(Boolean)].join(', '))
    report.result(shortPath(manifestPath, cwd))
    if (failed > 0) throw batchFailure(manifest)
  } finally {
    signal.removeEventListener('abort', onStop)
    progress.clear()
  }
}
