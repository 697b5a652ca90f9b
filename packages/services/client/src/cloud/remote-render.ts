import type { RemoteRender } from '@vid/remote'
import type { CloudRecord, CloudRenderInput, CloudSubmitted } from '../contract/index.ts'
import type { CloudClient, KeyedCall } from './client.ts'
import { renderFailure, type WaitOptions } from './following.ts'

/** Options of a render on the hosted API. */
export interface CloudRemoteOptions
  extends Pick<WaitOptions, 'pollMs' | 'maxWaitMs'>,
    Pick<KeyedCall, 'idempotencyKey'> {}

/** A render on the hosted API. */
export const cloudRemote = (
  client: CloudClient,
  body: CloudRenderInput,
  { idempotencyKey, ...waitOptions }: CloudRemoteOptions = {},
): RemoteRender<CloudSubmitted, CloudRecord, CloudRecord> => {
  let hasFailed = false
  return {
    submit: (signal) => client.submit(body, { signal, idempotencyKey }),
    async follow({ render_id: renderId }, { signal, onState, onTrouble }) {
      const record = await client.waitForRender(renderId, {
        ...waitOptions,
        signal,
        ...(onState && { onRecord: onState }),
        ...(onTrouble && { onTrouble }),
      })
      // Of several shapes, those that have completed are there.
      const hasVideos = record.outputs?.some(({ status }) => status === 'completed') === true
      hasFailed = record.status === 'failed' && !hasVideos
      if (hasFailed) throw renderFailure(record)
      return record
    },
    cancel: ({ render_id: renderId }, signal) => client.delete(renderId, { signal }),
    isOver: () => hasFailed,
  }
}
