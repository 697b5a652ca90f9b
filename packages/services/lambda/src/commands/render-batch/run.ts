import { fail } from '../../errors.ts'
import { checkStackFormat } from '../../stack/stack-formats.ts'
import { placeFromOptions } from '../shared/place.ts'
import { uploadSite } from '../shared/upload.ts'
import { type LambdaBatchRun, readBatchTask } from './request.ts'
import { type LineOutcome, startLines } from './start-lines.ts'

const MAX_CONCURRENT = 50

/** `vid lambda render-batch`: starts a render for each line of a file. */
export const runLambdaRenderBatch = async (run: LambdaBatchRun): Promise<{ readonly rows: readonly LineOutcome[] }> => {
  const { cwd, signal, options, json, report, progress } = run
  const { config, lines, project, siteId, batchId, notes, warnings } = await readBatchTask(run)
  for (const warning of warnings) report.warn(warning)
  if (!json) for (const note of notes) report.note(note)
  if (options['dry-run']) {
    const rows = lines.map(({ inputLine, outputKey }) => ({
      inputLine,
      outputKey,
      executionArn: null,
      status: 'would-invoke' as const,
    }))
    return { rows }
  }
  const place = await placeFromOptions(options, run)
  await checkStackFormat({ ...place, signal }, config)
  // Standard output contains one array and nothing else.
  const silent = { ...report, event: () => {} }
  const uploaded = async () =>
    (await uploadSite(project?.composition.projectDir ?? cwd, place, { report: silent, progress, signal })).siteId
  const rows = await startLines(lines, {
    siteId: siteId ?? (await uploaded()),
    batchId,
    config,
    place,
    signal,
    maxConcurrent: options['max-concurrent'] ?? MAX_CONCURRENT,
    onProgress: (count) => progress.isLive && progress.show(`starting: ${count} of ${lines.length}`),
  })
  progress.clear()
  const failures = rows.filter(({ status }) => status === 'failed-to-start').length
  if (failures > 0) report.error(fail('VID_LAMBDA_BATCH_UNSTARTED', { failed: failures, total: rows.length }))
  return { rows }
}
