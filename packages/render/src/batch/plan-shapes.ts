import { basename } from 'node:path'
import { fail, throwErrors } from '../errors.ts'
import { codedError } from '../failure/coded-error.ts'
import { requireLint } from '../lint/lint-before-render.ts'
import type { PreparedRender } from '../prepare/prepare.ts'
import type { RenderSettings } from '../settings.ts'
import type { PlannedBatch, PlannedRow } from './plan-batch.ts'

/** Refuses shapes that the composition does not have, and a size that only one of several could have. */
const checkShapes = async ({ requests, shapes, projectDir }: PreparedRender, signal: AbortSignal): Promise<void> => {
  const [{ entry = 'index.html', resolution }] = requests
  if (resolution !== undefined && shapes.length > 1) throw fail('VID_SHAPES_RESOLUTION', { resolution, shapes })
  const { readEntryText } = await import('@vid/core')
  const reads = await Promise.allSettled(shapes.map((shape) => readEntryText(projectDir, entry, { shape, signal })))
  throwErrors(reads.flatMap((read) => (read.status === 'rejected' ? [codedError(read.reason, signal)] : [])))
}

/** The shapes of a prepared render as rows that `runBatch` renders; all are checked before the first. */
export const planShapes = async (
  prepared: PreparedRender,
  { variables, output, projectDir = '.' }: Pick<RenderSettings, 'variables' | 'output' | 'projectDir'>,
  signal: AbortSignal,
): Promise<PlannedBatch> => {
  await checkShapes(prepared, signal)
  if (prepared.config.render.strict) await requireLint(prepared, projectDir, signal)
  const name = basename(prepared.projectDir) || 'video'
  const rows: PlannedRow[] = []
  for (const [index, shape] of prepared.shapes.entries()) {
    const { requests } = await prepared.requestsFor({ variables, name, output, shape })
    rows.push({ index, shape, variables: variables ?? {}, requests, outputPath: requests[0].output })
  }
  return { prepared, rows, batchPath: '', manifestPath: '', warnings: prepared.warnings }
}
