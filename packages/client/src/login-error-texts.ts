import type { ErrorTable } from '@vid/kernel'

/** Errors of signing in. */
export const loginTexts = {
  VID_LOGIN_SERVER: (f: { url: string; reason: string }) => ({
    message: `${f.url} offers no sign-in that can be used: ${f.reason}`,
    hint: 'check HOST_API_URL, or use a key: "vid auth login --api-key"',
    fault: 'machine',
  }),
  VID_LOGIN_REFUSED: (f: { error: string; description: string }) => ({
    message: `the server has refused the sign-in: ${f.error}${f.description && `, ${f.description}`}`,
    hint: 'sign in again with "vid auth login"; if it is refused again, ask who runs the server',
    fault: 'caller',
  }),
  VID_LOGIN_TIMEOUT: (f: { seconds: number }) => ({
    message: `nobody has signed in within ${f.seconds} s`,
    hint: 'run "vid auth login" again and finish in the browser; where there is none, use "vid auth login --api-key"',
    fault: 'caller',
  }),
  VID_LOGIN_EXPIRED: (f: { url: string; reason: string }) => ({
    message: `the sign-in at ${f.url} has ended: ${f.reason}`,
    hint: 'sign in again with "vid auth login"',
    fault: 'caller',
  }),
  VID_LOGIN_LISTENER: (f: { reason: string }) => ({
    message: `the answer of the browser cannot be received on this machine: ${f.reason}`,
    hint: 'use a key: "vid auth login --api-key"',
    fault: 'machine',
  }),
} satisfies ErrorTable
