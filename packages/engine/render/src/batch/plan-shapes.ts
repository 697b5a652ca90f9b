import { basename } from 'node:path'
import { requireLint } from '../lint/lint-before-render.ts'
import { refuseSharedPlaces } from '../outputs/shared-places.ts'
import type { PreparedRender } from '../prepare/prepare.ts'
import type { RenderSettings } from '../settings.ts'
import { checkShapes } from './check-shapes.ts'
import type { PlannedBatch, PlannedRow } from './planned-row.ts'

/** The shapes of a prepared render as rows that `runBatch` renders; all are checked before the first. */
export const planShapes = async (
  prepared: PreparedRender,
  { variables, output, projectDir = '.' }: Pick<RenderSettings, 'variables' | 'output' | 'projectDir'>,
  signal: AbortSignal,
): Promise<PlannedBatch> => {
  await checkShapes(prepared, signal)
  if (prepared.config.render.strict) await requireLint(prepared, projectDir, { signal })
  const name = basename(prepared.projectDir) || 'video'
  const rows: PlannedRow[] = []
  for (const [index, shape] of prepared.shapes.entries()) {
    const { requests } = await prepared.requestsFor({ variables, name, output, shape })
    rows.push({ index, shape, variables: variables ?? {}, requests, outputPath: requests[0].output })
  }
  refuseSharedPlaces(
    prepared.config.setup.deliveries ?? [],
    rows.flatMap(({ requests }) => requests),
  )
  return { prepared, rows, batchPath: '', manifestPath: '', warnings: prepared.warnings }
}
