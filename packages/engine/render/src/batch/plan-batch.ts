import { basename, join, resolve } from 'node:path'
import type { Composition } from '@vid/core'
import { isVidError, shapeName, type Warning } from '@vid/protocol'
import { throwSettingErrors } from '../errors.ts'
import { requireLint } from '../lint/lint-before-render.ts'
import { refuseSharedPlaces } from '../outputs/shared-places.ts'
import type { RenderContext } from '../prepare/context.ts'
import { type PreparedRender, prepareRender } from '../prepare/prepare.ts'
import type { RenderSettings } from '../settings.ts'
import type { ColumnNames } from '../table/columns.ts'
import { fatalProblem } from '../table/json-rows.ts'
import type { ListedRow, RowList, RowProblem } from '../table/listed-row.ts'
import type { ProblemGroup } from '../table/problem-groups.ts'
import { type GivenRows, listRows } from '../table/read-list.ts'
import { checkShapes } from './check-shapes.ts'
import { commonFolder } from './manifest.ts'
import { checkManifestPlace } from './manifest-place.ts'
import { mediaProblems } from './media-problems.ts'
import { type PlannedBatch, type PlannedRow, pathsOf } from './planned-row.ts'
import { collisionProblems, judgeRows, valueProblems, withoutNames } from './row-problems.ts'
import { fillTemplate, placeholdersOf } from './template.ts'

/** Settings to render once per row; `output` is a template of paths, such as `out/{name}.mp4`. */
export interface BatchSettings extends Omit<RenderSettings, 'variables'> {
  readonly rows: GivenRows
  /** The file of the rows, as the manifest names it. */
  readonly batchPath?: string
  /** Names of variables by headings of a table. */
  readonly columns?: ColumnNames
  /** Called with all mistakes of all rows, before those that are errors are thrown. */
  readonly onProblems?: (groups: readonly ProblemGroup[]) => void
}

/** What `{shape}` of a template is: several shapes are filled in with their places. */
const shapeValueOf = ([shape, ...others]: readonly string[]) => {
  if (shape === undefined) return {}
  return { shape: others.length > 0 ? '{shape}' : shapeName(shape) }
}

/** A row that is planned, in all its shapes, or what keeps it from that. */
interface RowPlan {
  readonly planned: readonly Omit<PlannedRow, 'index'>[]
  readonly problems: readonly RowProblem[]
  readonly warnings: readonly Warning[]
}

/** Fills the template of outputs for a row. */
const planRow = async (
  prepared: PreparedRender,
  listed: ListedRow,
  {
    index,
    template,
    isCounted,
  }: { readonly index: number; readonly template: string | undefined; readonly isCounted: boolean },
): Promise<RowPlan> => {
  const { shapes } = prepared
  const { number, variables, names } = listed
  const filled =
    template === undefined ? undefined : fillTemplate(template, { ...names, ...shapeValueOf(shapes) }, index)
  const problems = (filled?.problems ?? []).map(({ problem, kind }) => fatalProblem(number, problem, kind))
  if (problems.length > 0) return { planned: [], problems, warnings: [] }
  const planned: Omit<PlannedRow, 'index'>[] = []
  const warnings: Warning[] = []
  const name = `${basename(prepared.projectDir) || 'video'}-${index}`
  for (const shape of shapes.length > 1 ? shapes : [undefined]) {
    const prepares = prepared.requestsFor({ variables, name, output: filled?.path, ...(shape && { shape }) })
    const prepare = await prepares.catch((thrown: unknown) => {
      if (!isVidError(thrown) || thrown.fault !== 'caller') throw thrown
      problems.push(fatalProblem(number, thrown.message))
    })
    if (!prepare) continue
    const { requests } = prepare
    warnings.push(...prepare.warnings)
    planned.push({
      ...(shape && { row: index, shape }),
      ...(isCounted && { number }),
      variables,
      requests,
      outputPath: requests[0].output,
    })
  }
  return { planned, problems, warnings }
}

/** Plans all rows; rows whose outputs have no path are left out and named among the problems. */
const planRows = async (prepared: PreparedRender, list: RowList, template: string | undefined) => {
  const problems: RowProblem[] = []
  const planned: PlannedRow[] = []
  const warnings = new Map<string, Warning>()
  for (const [number, row] of list.rows.entries()) {
    const plan = await planRow(prepared, row, { index: number, template, isCounted: list.counted !== 'index' })
    problems.push(...plan.problems)
    for (const warning of plan.warnings) warnings.set(warning.code, warning)
    for (const each of plan.planned) planned.push({ ...each, index: each.shape ? planned.length : number })
  }
  return { problems, planned, warnings: [...warnings.values()] }
}

/** The rows of a batch, with what their values have against the declarations of the composition. */
const readList = async (
  given: GivenRows,
  prepared: PreparedRender,
  { output = '', columns }: Pick<BatchSettings, 'output' | 'columns'>,
  signal: AbortSignal,
): Promise<RowList & { readonly html: string; readonly composition: Composition }> => {
  const [{ projectDir, entry = 'index.html', strictVariables }] = prepared.requests
  const { loadComposition } = await import('@vid/core')
  const { composition, html } = await loadComposition(projectDir, entry, { signal })
  const placeholders = placeholdersOf(output)
  const list = listRows(given, { declarations: composition.declarations, names: columns, placeholders })
  const problems = [...list.problems, ...(await valueProblems(list, composition, placeholders))]
  if (!strictVariables) return { ...list, problems, html, composition }
  const rows = list.rows.map((row) => ({ ...row, variables: withoutNames(row, composition, placeholders) }))
  return { ...list, rows, problems, html, composition }
}

/** Checks all rows before the first is rendered; everything that is wrong is thrown as one error. */
export const planBatch = async (
  { rows: given, batchPath, columns, onProblems, ...settings }: BatchSettings,
  context: RenderContext,
  signal: AbortSignal,
): Promise<PlannedBatch> => {
  const inputs = [...(settings.inputs ?? []), ...(batchPath === undefined ? [] : [batchPath])]
  const prepared = await prepareRender({ ...settings, inputs }, context, { isTemplate: true, takesShapes: true })
  if (prepared.shapes.length > 1) await checkShapes(prepared, signal)
  const { output } = settings
  const list = await readList(given, prepared, { ...(output && { output }), ...(columns && { columns }) }, signal)
  const { problems, planned, warnings } = await planRows(prepared, list, output)
  const folder = commonFolder(planned.flatMap(pathsOf))
  const manifestPath = join(folder, 'manifest.json')
  const isStrict = prepared.requests[0].strictVariables === true
  const media = await mediaProblems(prepared, list, signal)
  const all = [...problems, ...(await collisionProblems(planned, manifestPath)), ...list.problems, ...media]
  const judged = judgeRows(all, { counted: list.counted, total: list.rows.length, isStrict })
  if (judged.groups.length > 0) onProblems?.(judged.groups)
  throwSettingErrors(judged.errors)
  refuseSharedPlaces(
    prepared.config.setup.deliveries ?? [],
    planned.flatMap(({ requests }) => requests),
  )
  if (prepared.config.render.strict) await requireLint(prepared, settings.projectDir ?? '.', { signal })
  const { cwd } = context
  await checkManifestPlace(manifestPath, {
    inputs: inputs.map((path) => resolve(cwd, path)),
    force: settings.force === true,
  })
  return {
    prepared,
    rows: planned,
    batchPath: batchPath === undefined ? '' : resolve(context.cwd, batchPath),
    manifestPath,
    isListRead: batchPath !== undefined && list.html.includes(basename(batchPath)),
    warnings: [...prepared.warnings, ...warnings, ...judged.warnings],
  }
}
