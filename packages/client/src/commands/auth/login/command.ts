import { defineCommand } from '@vid/command'
import { fail } from '../../../errors.ts'
import { authLoginOptions } from './options.ts'

/** `vid auth login`. */
export const authLoginCommand = defineCommand({
  path: 'auth login',
  summary: 'Sign in at a hosted API.',
  details:
    'Opens the sign-in page of the API in a browser, and stores the credential in ~/.host/credentials, for this user alone. HOST_API_URL is the address of the API, http://127.0.0.1:9848 if it is not set.',
  // A key among these words must not be repeated in an error.
  arguments: [{ name: 'nothing', isRest: true }],
  options: authLoginOptions,
  examples: [
    ['With a browser', 'vid auth login'],
    ['With a key, for machines without a browser', 'vid auth login --api-key < key.txt'],
  ],
  check: ({ arguments: { nothing } }) => (nothing.length > 0 ? [fail('VID_KEY_ARGUMENT', {})] : []),
  run: async (run) => (await import('./run.ts')).runAuthLogin(run),
  text: ({ url, user }) => `signed in at ${url} as ${user.email ?? user.name ?? user.user_id}`,
})
