import { apiUrlOf, forceRefresh } from '@vid/client'
import { reportOf } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'

/** `vid auth refresh`: refreshes the stored token. */
export const runAuthRefresh = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { env, signal } = context
  const report = reportOf(rawFlags, context)
  const url = apiUrlOf(env)
  const { expiresAtMs } = await forceRefresh({ env, url }, signal)
  const expires_at = expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString()
  report.event({ type: 'auth-refresh', url, expires_at })
  report.result(`refreshed${expires_at === null ? '' : `; the token is valid until ${expires_at}`}`)
}
