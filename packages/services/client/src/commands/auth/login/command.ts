import { defineCommand, type OptionTable, outputOptions } from '@vid/command'
import { fail } from '../../../errors.ts'

const authLoginOptions = {
  'api-key': {
    kind: 'switch',
    about: 'store a key that is typed without echo, or read from stdin',
  },
  browser: {
    kind: 'switch',
    about: 'open the browser; --no-browser only prints the address',
    default: 'on',
  },
  ...outputOptions,
} as const satisfies OptionTable

/** `vid auth login`. */
export const authLoginCommand = defineCommand({
  path: 'auth login',
  summary: 'Sign in to a hosted API.',
  details:
    'Opens the sign-in page of the API in a browser, and stores the credential in ~/.host/credentials, for this user alone. HOST_API_URL is the address of the API, http://127.0.0.1:9848 if it is not set.',
  // Catches a key on the command line, which an error must not repeat.
  arguments: [{ name: 'nothing', isRest: true }],
  options: authLoginOptions,
  examples: [
    ['With a browser', 'vid auth login'],
    ['With a key, for machines without a browser', 'vid auth login --api-key < key.txt'],
  ],
  check: ({ arguments: { nothing } }) => (nothing.length > 0 ? [fail('VID_KEY_ARGUMENT', {})] : []),
  async run(run) {
    const [{ credentialsPath }, { apiUrlOf, KEY_VARIABLES }, { openUserBrowser }, { login, storeApiKey }, { readKey }] =
      await Promise.all([
        import('../../../credentials/file.ts'),
        import('../../../credentials/place.ts'),
        import('../../../login/browser.ts'),
        import('../../../login/login.ts'),
        import('./read-key.ts'),
      ])
    const { env, signal, stderr, options, json, report } = run
    const url = apiUrlOf(env)
    const path = credentialsPath(env)
    const onAddress = (address: string) => {
      // Shown in any case, because the sign-in needs it.
      stderr.write(`sign in at: ${address}\n`)
      if (options.browser !== false) openUserBrowser(address)
    }
    const user = options['api-key']
      ? await storeApiKey(await readKey(run), { url, path, signal })
      : await login({ url, path, signal, onAddress })
    for (const name of KEY_VARIABLES)
      if (env[name]?.trim() && !json) report.note(`${name} is set, and overrides the stored credential`)
    return { url, path, user }
  },
  text: ({ url, user }) => `signed in at ${url} as ${user.email ?? user.name ?? user.user_id}`,
})
