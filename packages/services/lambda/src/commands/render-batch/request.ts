import { randomUUID } from 'node:crypto'
import { type CommandRun, fail as failCommand, type OptionValues, throwErrors } from '@vid/command'
import type { VidError } from '@vid/protocol'
import { DEFAULT_FORMAT, isFolderFormat } from '../../contract/formats.ts'
import { fail } from '../../errors.ts'
import { validateRenderConfig } from '../../renders/validate-config.ts'
import { configFromFlags, flagErrorsOf } from '../shared/config.ts'
import { keyErrors } from '../shared/output-place.ts'
import { lintLambdaProject, readLambdaProject } from '../shared/project.ts'
import { findMismatches, findUnfit } from './batch-checks.ts'
import { findSameKeys, readBatch } from './batch-lines.ts'
import type { lambdaRenderBatchOptions } from './options.ts'

type Options = OptionValues<typeof lambdaRenderBatchOptions>

/** What `vid lambda render-batch` runs with. */
export type LambdaBatchRun = CommandRun<typeof lambdaRenderBatchOptions, { readonly dir: string | undefined }>

/** Placeholder for a site that is created by the upload. */
const NO_SITE = '0'.repeat(64)

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

/** Orders errors by their line. */
const byLine = (first: VidError, other: VidError) => Number(first.facts.line) - Number(other.facts.line)

/** Problems that involve several options. */
export const lambdaBatchProblems = async (options: Options): Promise<readonly VidError[]> => [
  ...(options.batch === undefined
    ? [failCommand('VID_USAGE', { command: 'lambda render-batch', reason: '--batch is missing' })]
    : []),
  ...(await flagErrorsOf(() => validateRenderConfig(configFromFlags(options, options.format ?? DEFAULT_FORMAT)))),
]

/** Checks the folder and every line; all problems are reported as one error before anything starts. */
export const readBatchTask = async (run: LambdaBatchRun) => {
  const { cwd, signal, options } = run
  const { dir } = run.arguments
  const format = options.format ?? DEFAULT_FORMAT
  const config = configFromFlags(options, format)
  const { batch = '', 'site-id': siteId, 'strict-variables': isStrict = false } = options
  const { lines, blank, errors: unread } = await readBatch(batch, cwd, signal)
  const folder = dir ?? (siteId === undefined ? '.' : undefined)
  const entry = config.entry ?? 'index.html'
  const source = { dir: folder ?? '.', entry, variables: {}, strict: false, shape: config.shapes, siteId }
  const project = folder === undefined ? undefined : await readLambdaProject(source, run)
  const mismatches = project ? findMismatches(lines, project, isStrict) : { errors: [], warnings: [] }
  const batchId = `batch-${randomUUID()}`
  const unfit = await findUnfit(lines, {
    siteId: siteId ?? project?.manifest.digest ?? NO_SITE,
    batchId,
    config,
  })
  const isFormatChosen = options.format !== undefined
  const misnamed = lines.flatMap(({ inputLine: line, outputKey }) =>
    keyErrors(outputKey, { format, isFormatChosen }).map(({ message: problem }) =>
      fail('VID_LAMBDA_BATCH_LINE', { line, problem }),
    ),
  )
  const same = findSameKeys(lines, isFolderFormat(format))
  throwErrors([...unread, ...unfit, ...misnamed, ...same, ...mismatches.errors].toSorted(byLine))
  const lint = { dir: folder ?? '.', entry, format, strict: options.strict === true }
  const notes = [
    ...(project ? await lintLambdaProject(project, lint, run) : []),
    ...(blank > 0 ? [`${plural(blank, 'blank line')} skipped`] : []),
  ]
  return {
    config,
    lines,
    project,
    siteId,
    batchId,
    notes,
    warnings: [...(project?.warnings ?? []), ...mismatches.warnings],
  }
}
