import { fail, throwSettingErrors } from '../errors.ts'
import { codedError } from '../failure/coded-error.ts'
import type { PreparedRender } from '../prepare/prepare.ts'

/** Refuses shapes that the composition does not have, and a size that only one of several could have. */
export const checkShapes = async (
  { requests, shapes, projectDir }: PreparedRender,
  signal: AbortSignal,
): Promise<void> => {
  const [{ entry = 'index.html', resolution }] = requests
  if (resolution !== undefined && shapes.length > 1) throw fail('VID_SHAPES_RESOLUTION', { resolution, shapes })
  const { readEntryText } = await import('@vid/core')
  const reads = await Promise.allSettled(shapes.map((shape) => readEntryText(projectDir, entry, { shape, signal })))
  throwSettingErrors(reads.flatMap((read) => (read.status === 'rejected' ? [codedError(read.reason, signal)] : [])))
}
