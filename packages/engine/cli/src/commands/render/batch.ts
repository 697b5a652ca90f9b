import { costText, shortPath } from '@vid/command'
import type { RemoteCost } from '@vid/protocol'
import {
  batchFailure,
  openContext,
  type ProblemGroup,
  planBatch,
  readColumnNames,
  readRowsFile,
  rowLabel,
} from '@vid/render'
import { batchKindOf } from './rows/batch-progress.ts'
import { renderRows } from './rows/render-rows.ts'
import { type RenderRun, renderSettings, warnOfForeignOptions } from './settings.ts'

/** `vid render --batch`: renders a folder once for each row of a file. */
export const runRenderBatch = async (run: RenderRun): Promise<void> => {
  const { cwd, env, signal, stdin, options, report, spelling, unguarded } = run
  warnOfForeignOptions(options, report)
  const { batch: batchPath = '', 'batch-concurrency': concurrency = 1 } = options
  const columns = options['batch-columns'] === undefined ? undefined : readColumnNames(options['batch-columns'])
  const rows = await readRowsFile(batchPath, { cwd, signal, stdin: stdin as AsyncIterable<Uint8Array> })
  const open = await openContext({ cwd, env, spelling, loading: unguarded })
  const settings = {
    ...renderSettings(run),
    rows,
    ...(columns && { columns }),
    ...(batchPath !== '-' && { batchPath }),
  }
  const onProblems = (groups: readonly ProblemGroup[]) =>
    report.event({
      type: 'batch-problems',
      problems: groups.map(({ code, message, rows, column, variable }) => ({
        code,
        message,
        rows: [...rows],
        ...(column !== undefined && { column }),
        ...(variable !== undefined && { variable }),
      })),
    })
  const batch = await planBatch({ ...settings, onProblems }, open, signal)
  let failures = 0
  let spent: RemoteCost | undefined
  const manifest = await renderRows(run, batch, {
    concurrency,
    failFast: options['batch-fail-fast'] === true,
    retries: options['batch-retries'],
    rows: options.rows,
    onlyFailed: options['only-failed'] === true,
    fresh: options.fresh === true,
    onEvent(event) {
      if (event.type === 'batch-complete') spent = event.cost
      report.event(event)
    },
    onEnd(_manifest, { failure, isCancelled }) {
      if (failure && !isCancelled) failures += 1
    },
    nameOf: (index) => rowLabel(batch, batch.rows[index] ?? { index }),
  })
  const { completed, skipped, unchanged, total, manifestPath } = manifest
  const earlier = manifest.failed - failures
  const [next] = manifest.rows.filter(({ status }) => status === 'skipped')
  const rest = [
    unchanged > 0 ? `${unchanged} of them unchanged since an earlier run` : '',
    failures > 0 ? `${failures} failed` : '',
    earlier > 0 ? `${earlier} failed in an earlier run` : '',
    next ? `${skipped} skipped from ${rowLabel(manifest, next)} on` : '',
    spent ? costText(spent) : '',
  ]
  report.note([`done: ${completed} of ${total} ${batchKindOf(manifest)}`, ...rest.filter(Boolean)].join(', '))
  report.result(shortPath(manifestPath, cwd))
  // Rows that were not chosen are not of this run.
  if (failures > 0) throw batchFailure({ ...manifest, failed: failures })
}
