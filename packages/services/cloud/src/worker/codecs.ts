import type { CloudCodec } from '@vid/client/contract'
import { encodableCodecs, findFfmpeg } from '@vid/ffmpeg'
import { isVidError } from '@vid/protocol'
import type { CloudLog, WorkerSettings } from './parts.ts'

/** The codecs that a worker encodes; null if another machine encodes, or its ffmpeg does not run. */
export const encodedHere = async (
  { render: { target = 'local' } }: Pick<WorkerSettings, 'render'>,
  log: Pick<CloudLog, 'warn'>,
  signal: AbortSignal,
): Promise<readonly CloudCodec[] | null> => {
  if (target !== 'local') return null
  try {
    return await encodableCodecs(await findFfmpeg({ signal }), signal)
  } catch (thrown) {
    if (!isVidError(thrown)) throw thrown
    log.warn({ err: thrown }, 'this worker cannot say what it encodes')
    return null
  }
}
