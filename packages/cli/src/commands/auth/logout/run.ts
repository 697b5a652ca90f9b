import { apiUrlOf, credentialsPath, KEY_VARIABLES, logout } from '@vid/client'
import { describeCause } from '@vid/kernel'
import { reportOf } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { cliWarning } from '../../../warnings.ts'

/** `vid auth logout`: removes the stored credential. */
export const runAuthLogout = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { env, signal } = context
  const json = rawFlags.json === true
  const report = reportOf(rawFlags, context)
  const path = credentialsPath(env)
  const { removed, failure } = await logout({ url: apiUrlOf(env), path, signal })
  if (failure !== undefined) report.warn(cliWarning('VID_LOGOUT_UNTOLD', { reason: describeCause(failure) }))
  for (const name of KEY_VARIABLES) if (env[name]?.trim() && !json) report.note(`${name} is still set, and still used`)
  report.event({ type: 'auth-logout', removed, path })
  report.result(removed ? `signed out: ${path} holds no credential any more` : 'nothing was stored')
}
