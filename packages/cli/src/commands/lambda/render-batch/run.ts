import { randomUUID } from 'node:crypto'
import type { VidError } from '@vid/kernel'
import { checkStackFormat, validateRenderConfig } from '@vid/lambda'
import { fail } from '../../../errors.ts'
import { reportOf } from '../../../flags/command-start.ts'
import { checkFlags, type RawFlags, throwErrors } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { configOf, flagErrorsOf } from '../../../lambda/config.ts'
import { keyErrors } from '../../../lambda/output-place.ts'
import { placeOf } from '../../../lambda/place.ts'
import { lintLambdaProject, readLambdaProject } from '../../../lambda/project.ts'
import { uploadSite } from '../../../lambda/upload.ts'
import type { Report } from '../../../report.ts'
import { chooseProgress } from '../../render/progress.ts'
import { findMismatches, findUnfit } from './batch-checks.ts'
import { findSameKeys, readBatch } from './batch-lines.ts'
import { lambdaRenderBatchConflicts, lambdaRenderBatchFlags } from './flags.ts'
import { type BatchRow, startLines } from './start-lines.ts'

const MAX_CONCURRENT = 50
/** A site that is made only when something is uploaded. */
const NO_SITE = '0'.repeat(64)

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

const rowText = ({ inputLine, status, outputKey, executionArn, error }: BatchRow): string => {
  const words = [`line ${inputLine}`, status, outputKey, executionArn ?? '']
  return [...words, error ? `${error.code}: ${error.message}` : ''].filter(Boolean).join('  ')
}

const summaryOf = (rows: readonly BatchRow[]): string => {
  const count = (status: BatchRow['status']) => rows.filter((row) => row.status === status).length
  const would = count('would-invoke')
  return would > 0
    ? `${would} would-invoke`
    : `${count('started')} started, ${count('failed-to-start')} failed-to-start`
}

/** Prints what became of the lines; the exit code says whether all of them were started. */
const reportRows = (
  rows: readonly BatchRow[],
  report: Report,
  { json, stdout }: { json: boolean; stdout: NodeJS.WritableStream },
): number => {
  if (json) stdout.write(`${JSON.stringify(rows)}\n`)
  for (const row of rows) report.result(rowText(row))
  report.result(summaryOf(rows))
  const failed = rows.filter(({ status }) => status === 'failed-to-start').length
  if (failed === 0) return 0
  report.error(fail('VID_LAMBDA_BATCH_UNSTARTED', { failed, total: rows.length }))
  return 1
}

/** The order of the lines that errors are about. */
const byLine = (one: VidError, other: VidError) => Number(one.facts.line) - Number(other.facts.line)

/** Checks flags, folder and every line; everything that is wrong is one error before anything is started. */
const readBatchAsk = async (dir: string | undefined, rawFlags: RawFlags, context: CliContext) => {
  const { cwd, signal } = context
  const rules = { conflicts: lambdaRenderBatchConflicts }
  const { values: flags, errors } = checkFlags(lambdaRenderBatchFlags, rawFlags, rules)
  const format = flags.format ?? 'mp4'
  const config = configOf(flags, format)
  const missing =
    rawFlags.batch === undefined
      ? [fail('VID_USAGE', { command: 'lambda render-batch', reason: '--batch is missing' })]
      : []
  throwErrors([...errors, ...missing, ...(await flagErrorsOf(() => validateRenderConfig(config)))])
  const { batch = '', 'site-id': siteId, 'strict-variables': isStrict = false } = flags
  const { lines, blank, errors: unread } = await readBatch(batch, cwd, signal)
  const folder = dir ?? (siteId === undefined ? '.' : undefined)
  const entry = config.entry ?? 'index.html'
  const asked = { dir: folder ?? '.', entry, variables: {}, strict: false, siteId }
  const project = folder === undefined ? undefined : await readLambdaProject(asked, context)
  const found = project ? findMismatches(lines, project, isStrict) : { errors: [], warnings: [] }
  const batchId = `batch-${randomUUID()}`
  const unfit = await findUnfit(lines, {
    siteId: siteId ?? project?.manifest.digest ?? NO_SITE,
    batchId,
    config,
  })
  const isFormatChosen = flags.format !== undefined
  const misnamed = lines.flatMap(({ inputLine: line, outputKey }) =>
    keyErrors(outputKey, { format, isFormatChosen }).map(({ message: problem }) =>
      fail('VID_LAMBDA_BATCH_LINE', { line, problem }),
    ),
  )
  const same = findSameKeys(lines, format === 'png-sequence')
  throwErrors([...unread, ...unfit, ...misnamed, ...same, ...found.errors].toSorted(byLine))
  const lint = { dir: folder ?? '.', entry, format, strict: flags.strict === true }
  const notes = [
    ...(project ? await lintLambdaProject(project, lint, context) : []),
    ...(blank > 0 ? [`${plural(blank, 'blank line')} skipped`] : []),
  ]
  return {
    flags,
    config,
    lines,
    project,
    siteId,
    batchId,
    notes,
    warnings: [...(project?.warnings ?? []), ...found.warnings],
  }
}

/** `vid lambda render-batch`: starts a render for each line of a file; resolves to the exit code. */
export const runLambdaRenderBatch = async (
  dir: string | undefined,
  rawFlags: RawFlags,
  context: CliContext,
): Promise<number> => {
  const { cwd, signal, stdout } = context
  const json = rawFlags.json === true
  const report = reportOf(rawFlags, context)
  const { flags, config, lines, project, siteId, batchId, notes, warnings } = await readBatchAsk(dir, rawFlags, context)
  for (const warning of warnings) report.warn(warning)
  if (!json) for (const note of notes) report.note(note)
  if (flags['dry-run']) {
    const rows = lines.map(({ inputLine, outputKey }) => ({
      inputLine,
      outputKey,
      executionArn: null,
      status: 'would-invoke' as const,
    }))
    return reportRows(rows, report, { json, stdout })
  }
  const place = await placeOf(flags, context)
  await checkStackFormat({ ...place, signal }, config)
  const progress = chooseProgress(context, report, rawFlags)
  // The standard output holds one array and nothing else.
  const silent = { ...report, event: () => {} }
  const uploaded = async () =>
    (await uploadSite(project?.composition.projectDir ?? cwd, place, { report: silent, progress, signal })).siteId
  const rows = await startLines(lines, {
    siteId: siteId ?? (await uploaded()),
    batchId,
    config,
    place,
    signal,
    maxConcurrent: flags['max-concurrent'] ?? MAX_CONCURRENT,
    onProgress: (done) => progress.isLive && progress.show(`starting: ${done} of ${lines.length}`),
  })
  progress.clear()
  return reportRows(rows, report, { json, stdout })
}
