import { basename, join, resolve } from 'node:path'
import { isVidError, type RenderRequestInput, shapeName, type VidError, type Warning } from '@vid/kernel'
import { fail, throwErrors } from '../errors.ts'
import { requireLint } from '../lint/lint-before-render.ts'
import { placeKey } from '../outputs/identity.ts'
import { refuseSharedPlaces } from '../outputs/shared-places.ts'
import type { RenderContext } from '../prepare/context.ts'
import { type PreparedRender, prepareRender } from '../prepare/prepare.ts'
import type { RenderSettings } from '../settings.ts'
import { checkShapes } from './check-shapes.ts'
import { findCollisions, type RowOutput } from './collisions.ts'
import { commonFolder, rowLabel } from './manifest.ts'
import { checkManifestPlace } from './manifest-place.ts'
import { judgeMismatches } from './mismatches.ts'
import type { BatchRow } from './rows.ts'
import { fillTemplate } from './template.ts'

/** Settings to render once per row; `output` is a template of paths, such as `out/{name}.mp4`. */
export interface BatchSettings extends Omit<RenderSettings, 'variables'> {
  readonly rows: readonly BatchRow[]
  /** The file of the rows, as the manifest names it. */
  readonly batchPath?: string
}

/** One row, ready to render. */
export interface PlannedRow {
  /** Counted over all rows, in each of their shapes. */
  readonly index: number
  /** Number of the row in its file, where each is rendered in several shapes. */
  readonly row?: number
  readonly variables: BatchRow
  /** Shape of its picture, where one was requested. */
  readonly shape?: string
  readonly requests: readonly RenderRequestInput[]
  /** Path of its first output. */
  readonly outputPath: string
}

/** A checked batch, ready to start. */
export interface PlannedBatch {
  readonly prepared: PreparedRender
  readonly rows: readonly PlannedRow[]
  /** Absolute; empty when the rows do not come from a file. */
  readonly batchPath: string
  /** Absolute; empty when no file lists the rows. */
  readonly manifestPath: string
  readonly warnings: readonly Warning[]
}

const pathsOf = (requests: readonly RenderRequestInput[]) =>
  requests.flatMap(({ output, outputs = [] }) => [output, ...outputs.map((other) => other.output)])

/** Rows with the output of an earlier row, the manifest, or a path inside the output of another row. */
const refuseCollisions = async (rows: readonly PlannedRow[], manifestPath: string): Promise<VidError[]> => {
  const outputs: (RowOutput & { readonly index: number })[] = []
  for (const planned of rows)
    for (const path of pathsOf(planned.requests))
      outputs.push({
        index: planned.row ?? planned.index,
        row: rowLabel({ manifestPath }, planned),
        name: `output ${path}`,
        key: await placeKey(path),
      })
  const collisions = findCollisions(outputs, { owners: [[await placeKey(manifestPath), 'the manifest']] })
  return collisions.map(({ output: { index }, problem }) => fail('VID_BATCH_ROW', { index, problem }))
}

/** Values of rows that do not fit the declarations of the composition. */
const findMismatches = async (rows: readonly PlannedRow[], signal: AbortSignal) => {
  const first = rows[0]?.requests[0]
  if (!first) return { errors: [], warnings: [] }
  const { issueWarning, loadComposition, resolveVariables } = await import('@vid/core')
  const entry = first.entry ?? 'index.html'
  const { composition } = await loadComposition(first.projectDir, entry, { signal })
  // The values are those of every shape of a row.
  const once = rows.filter(({ row, shape }) => row === undefined || shape === rows[0]?.shape)
  const mismatches = once.flatMap(({ index, row = index, requests }) =>
    resolveVariables(composition.declarations, requests[0]?.variables ?? {}).issues.map((issue) => ({
      ...issueWarning(issue),
      row,
    })),
  )
  return judgeMismatches(mismatches, {
    isStrict: first.strictVariables === true,
    called: 'row',
    refuse: (index, problem) => fail('VID_BATCH_ROW', { index, problem }),
  })
}

/** What `{shape}` of a template is: several shapes are filled in with their places. */
const shapeValueOf = ([shape, ...others]: readonly string[]) => {
  if (shape === undefined) return {}
  return { shape: others.length > 0 ? '{shape}' : shapeName(shape) }
}

/** Fills the template of outputs for each row; rows that cannot be filled are left out and named in `errors`. */
const planRows = async (prepared: PreparedRender, rows: readonly BatchRow[], template: string | undefined) => {
  const errors: VidError[] = []
  const planned: PlannedRow[] = []
  const warnings = new Map<string, Warning>()
  const { shapes } = prepared
  const shapeValue = shapeValueOf(shapes)
  for (const [number, row] of rows.entries()) {
    const filled = template === undefined ? undefined : fillTemplate(template, { ...row, ...shapeValue }, number)
    for (const problem of filled?.problems ?? []) errors.push(fail('VID_BATCH_ROW', { index: number, problem }))
    if (filled && filled.problems.length > 0) continue
    const name = `${basename(prepared.projectDir) || 'video'}-${number}`
    for (const shape of shapes.length > 1 ? shapes : [undefined]) {
      const prepares = prepared.requestsFor({ variables: row, name, output: filled?.path, ...(shape && { shape }) })
      const prepare = await prepares.catch((thrown: unknown) => {
        if (!isVidError(thrown) || thrown.fault !== 'caller') throw thrown
        errors.push(fail('VID_BATCH_ROW', { index: number, problem: thrown.message }, { cause: thrown }))
      })
      if (!prepare) continue
      const { requests, ...rest } = prepare
      for (const warning of rest.warnings) warnings.set(warning.code, warning)
      const index = shape ? planned.length : number
      planned.push({
        index,
        ...(shape && { row: number, shape }),
        variables: row,
        requests,
        outputPath: requests[0].output,
      })
    }
  }
  return { errors, planned, warnings: [...warnings.values()] }
}

/** Checks all rows before the first is rendered; everything that is wrong is thrown as one error. */
export const planBatch = async (
  { rows, batchPath, ...settings }: BatchSettings,
  context: RenderContext,
  signal: AbortSignal,
): Promise<PlannedBatch> => {
  const inputs = [...(settings.inputs ?? []), ...(batchPath === undefined ? [] : [batchPath])]
  const prepared = await prepareRender({ ...settings, inputs }, context, { isTemplate: true, takesShapes: true })
  if (prepared.shapes.length > 1) await checkShapes(prepared, signal)
  const { errors, planned, warnings } = await planRows(prepared, rows, settings.output)
  const folder = commonFolder(planned.flatMap(({ requests }) => pathsOf(requests)))
  const manifestPath = join(folder, 'manifest.json')
  const mismatches = await findMismatches(planned, signal)
  throwErrors([...errors, ...(await refuseCollisions(planned, manifestPath)), ...mismatches.errors])
  refuseSharedPlaces(
    prepared.config.setup.deliveries ?? [],
    planned.flatMap(({ requests }) => requests),
  )
  if (prepared.config.render.strict) await requireLint(prepared, settings.projectDir ?? '.', signal)
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
    warnings: [...prepared.warnings, ...warnings, ...mismatches.warnings],
  }
}
