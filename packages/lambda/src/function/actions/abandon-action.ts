import { parseAs } from '@vid/kernel'
import { endedPlaylist, exists, putObject, readText, type S3Bucket } from '@vid/s3'
import type { AbandonEvent } from '../../contract/action-events.ts'
import { ExecutionInputSchema } from '../../contract/execution-input.ts'
import { MAX_EXECUTION_INPUT_BYTES } from '../../contract/limits.ts'
import { renderKeys } from '../../contract/object-keys.ts'
import type { CallRun } from '../call-run.ts'
import { closeStream } from '../streams/held-record.ts'
import { writeLastPlaylists } from '../streams/stream-playlists.ts'
import { removeWork } from '../work-objects.ts'

/** Ends the playlists of a video after the last segment that players see. */
const endStream = async (place: S3Bucket, renderId: string): Promise<void> => {
  const keys = renderKeys(renderId)
  // Without a plan, nothing was published, and with a result, everything was.
  const input = parseAs(ExecutionInputSchema, (await readText(place, keys.request, MAX_EXECUTION_INPUT_BYTES)) ?? '')
  if (!input?.growing || (await exists(place, keys.result))) return
  const { outputKey } = input
  const { playlists } = await closeStream(place, { renderId, outputKey })
  const ended = Object.entries(playlists).map(([name, text]) => [name, endedPlaylist(text)])
  await writeLastPlaylists(place, outputKey, Object.fromEntries(ended))
}

/** Marks a render as failed, ends what players see of it, and removes its work objects. */
export const runAbandon = async ({ renderId, error }: AbandonEvent, { place }: CallRun): Promise<object> => {
  const text = JSON.stringify({ renderId, error })
  await putObject(place, renderKeys(renderId).failure, text, { type: 'application/json' })
  await endStream(place, renderId)
  await removeWork(place, renderId)
  return { renderId }
}
