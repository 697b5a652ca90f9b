import { apiUrlOf, credentialsPath, KEY_VARIABLES, login, openBrowser, storeApiKey } from '@vid/client'
import { reportOf } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { readKey } from './read-key.ts'

/** `vid auth login`: signs in by a browser or with a key, and stores the credential. */
export const runAuthLogin = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { env, signal, stderr } = context
  const json = rawFlags.json === true
  const report = reportOf(rawFlags, context)
  const url = apiUrlOf(env)
  const path = credentialsPath(env)
  const onAddress = (address: string) => {
    // Without it nobody could go on, so it is shown in any case.
    stderr.write(`sign in at: ${address}\n`)
    if (rawFlags.browser !== false) openBrowser(address)
  }
  const user = rawFlags['api-key']
    ? await storeApiKey(await readKey(context), { url, path, signal })
    : await login({ url, path, signal, onAddress })
  for (const name of KEY_VARIABLES)
    if (env[name]?.trim() && !json) report.note(`${name} is set, and is used in place of what is stored`)
  report.event({ type: 'auth-login', url, path, user })
  report.result(`signed in at ${url} as ${user.email ?? user.name ?? user.user_id}`)
}
