import type { ErrorTable } from '@vid/protocol'

/** Errors of signing in. */
export const loginTexts = {
  VID_LOGIN_SERVER: (f: { url: string; reason: string }) => ({
    message: `${f.url} offers no usable sign-in: ${f.reason}.`,
    hint: 'Check HOST_API_URL, or use a key: "vid auth login --api-key".',
    fault: 'machine',
  }),
  VID_LOGIN_REFUSED: (f: { error: string; description: string }) => ({
    message: `The server refused the sign-in: ${f.error}${f.description && `, ${f.description}`}.`,
    hint: 'Sign in again with "vid auth login"; if it fails again, ask the operator.',
    fault: 'caller',
  }),
  VID_LOGIN_TIMEOUT: (f: { seconds: number }) => ({
    message: `Nobody signed in within ${f.seconds} s.`,
    hint: 'Run "vid auth login" again and finish in the browser; without a browser, use "vid auth login --api-key".',
    fault: 'caller',
  }),
  VID_LOGIN_EXPIRED: (f: { url: string; reason: string }) => ({
    message: `The sign-in at ${f.url} has ended: ${f.reason}.`,
    hint: 'Sign in again with "vid auth login".',
    fault: 'caller',
  }),
  VID_LOGIN_LISTENER: (f: { reason: string }) => ({
    message: `This machine cannot receive the answer of the browser: ${f.reason}.`,
    hint: 'Use a key: "vid auth login --api-key".',
    fault: 'machine',
  }),
} satisfies ErrorTable
