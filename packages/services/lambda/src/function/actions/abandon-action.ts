import { putObject } from '@vid/s3'
import type { AbandonEvent } from '../../contract/action-events.ts'
import { renderKeys } from '../../contract/object-keys.ts'
import { endStream } from '../../streams/end-stream.ts'
import type { CallRun } from '../call-run.ts'
import { removeWork } from '../work-objects.ts'

/** Marks a render as failed, ends what players see of it, and removes its work objects. */
export const runAbandon = async ({ renderId, error }: AbandonEvent, { place }: CallRun): Promise<object> => {
  const text = JSON.stringify({ renderId, error })
  await putObject(place, renderKeys(renderId).failure, text, { type: 'application/json' })
  await endStream(place, renderId)
  await removeWork(place, renderId)
  return { renderId }
}
