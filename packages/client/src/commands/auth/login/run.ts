import type { CommandRun } from '@vid/command'
import { credentialsPath } from '../../../credentials/file.ts'
import { apiUrlOf, KEY_VARIABLES } from '../../../credentials/place.ts'
import { openBrowser } from '../../../login/browser.ts'
import { login, storeApiKey } from '../../../login/login.ts'
import type { authLoginOptions } from './options.ts'
import { readKey } from './read-key.ts'

/** `vid auth login`: signs in by a browser or with a key, and stores the credential. */
export const runAuthLogin = async (run: CommandRun<typeof authLoginOptions>) => {
  const { env, signal, stderr, options, json, report } = run
  const url = apiUrlOf(env)
  const path = credentialsPath(env)
  const onAddress = (address: string) => {
    // Without it nobody could go on, so it is shown in any case.
    stderr.write(`sign in at: ${address}\n`)
    if (options.browser !== false) openBrowser(address)
  }
  const user = options['api-key']
    ? await storeApiKey(await readKey(run), { url, path, signal })
    : await login({ url, path, signal, onAddress })
  for (const name of KEY_VARIABLES)
    if (env[name]?.trim() && !json) report.note(`${name} is set, and is used in place of what is stored`)
  return { url, path, user }
}
