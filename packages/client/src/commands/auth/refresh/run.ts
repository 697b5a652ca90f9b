import type { CommandRun, outputOptions } from '@vid/command'
import { apiUrlOf } from '../../../credentials/place.ts'
import { forceRefresh } from '../../../credentials/refresh.ts'

/** `vid auth refresh`: refreshes the stored token. */
export const runAuthRefresh = async ({ env, signal }: CommandRun<typeof outputOptions>) => {
  const url = apiUrlOf(env)
  const { expiresAtMs } = await forceRefresh({ env, url }, signal)
  return { url, expires_at: expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString() }
}
