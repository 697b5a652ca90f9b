import type { CommandRun, outputOptions } from '@vid/command'
import { describeCause } from '@vid/kernel'
import { credentialsPath } from '../../../credentials/file.ts'
import { apiUrlOf, KEY_VARIABLES } from '../../../credentials/place.ts'
import { logout } from '../../../login/logout.ts'
import { clientWarning } from '../../../warnings.ts'

/** `vid auth logout`: removes the stored credential. */
export const runAuthLogout = async (run: CommandRun<typeof outputOptions>) => {
  const { env, signal, json, report } = run
  const path = credentialsPath(env)
  const { removed, failure } = await logout({ url: apiUrlOf(env), path, signal })
  if (failure !== undefined) report.warn(clientWarning('VID_LOGOUT_UNTOLD', { reason: describeCause(failure) }))
  for (const name of KEY_VARIABLES) if (env[name]?.trim() && !json) report.note(`${name} is still set, and still used`)
  return { removed, path }
}
