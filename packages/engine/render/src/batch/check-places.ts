import { createKernel } from '@vid/kernel'
import { checkRequest } from '@vid/protocol'
import type { PlannedBatch, PlannedRow } from './planned-row.ts'

/** Checks target and deliveries by the first row: what makes all rows fail is then said once, before any of them. */
export const checkFirstRow = async (
  { prepared }: Pick<PlannedBatch, 'prepared'>,
  { requests: [first] }: Pick<PlannedRow, 'requests'>,
  signal: AbortSignal,
): Promise<void> => {
  if (!first) return
  const request = checkRequest(first)
  const run = await createKernel(prepared.kernel.setup).open({ projectDir: request.projectDir, signal })
  try {
    await run.check(request)
  } finally {
    await run.close()
  }
}
