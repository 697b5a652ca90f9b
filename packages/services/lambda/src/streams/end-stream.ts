import { parseAs } from '@vid/protocol'
import { endedPlaylist, exists, readObjectText, type S3Bucket } from '@vid/s3'
import { ExecutionInputSchema } from '../contract/execution-input.ts'
import { MAX_EXECUTION_INPUT_BYTES } from '../contract/limits.ts'
import { renderKeys } from '../contract/object-keys.ts'
import { closeStream } from './held-record.ts'
import { writeLastPlaylists } from './stream-playlists.ts'

/** Ends the playlists of a render without a result after the last segment that players see, and publishes no other. */
export const endStream = async (place: S3Bucket, renderId: string): Promise<void> => {
  const keys = renderKeys(renderId)
  // Without a plan, nothing was published, and with a result, everything was.
  const input = parseAs(
    ExecutionInputSchema,
    (await readObjectText(place, keys.request, MAX_EXECUTION_INPUT_BYTES)) ?? '',
  )
  if (!input?.growing || (await exists(place, keys.result))) return
  const { outputKey } = input
  const { playlists } = await closeStream(place, { renderId, outputKey })
  const ended = Object.entries(playlists).map(([name, text]) => [name, endedPlaylist(text)])
  await writeLastPlaylists(place, outputKey, Object.fromEntries(ended))
}
