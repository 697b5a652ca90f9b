import type { ErrorTable } from '@vid/protocol'

/** Errors of the stored credentials. */
export const credentialTexts = {
  VID_CREDENTIALS_MISSING: (f: { url: string; path: string }) => ({
    message: `There is no credential for the hosted API at ${f.url}: HOST_API_KEY and VID_API_KEY are not set, and nothing is stored in ${f.path}.`,
    hint: 'Sign in with "vid auth login", or set HOST_API_KEY.',
    fault: 'caller',
  }),
  VID_CREDENTIALS_ELSEWHERE: (f: { url: string; path: string; storedFor: string }) => ({
    message: `The credential in ${f.path} is for ${f.storedFor}, and is not sent to ${f.url}.`,
    hint: 'Set HOST_API_URL to the address that it is for, or sign in at this one with "vid auth login".',
    fault: 'caller',
  }),
  VID_CREDENTIALS_MODE: (f: { path: string; mode: string; fix: string }) => ({
    message: `${f.path} can be read or changed by other users (mode ${f.mode}), so its content is not secret.`,
    hint: `Run "chmod ${f.fix} ${f.path}"; if others use this machine, sign in again afterwards.`,
    fault: 'caller',
  }),
  VID_CREDENTIALS_KIND: (f: { path: string; found: string }) => ({
    message: `${f.path} is ${f.found}; vid reads credentials only from a file that you own.`,
    hint: 'Move it away, and sign in with "vid auth login".',
    fault: 'caller',
  }),
  VID_CREDENTIALS_DAMAGED: (f: { path: string; problem: string }) => ({
    message: `${f.path} does not hold credentials: ${f.problem}.`,
    hint: 'Move it away, and sign in with "vid auth login".',
    fault: 'caller',
  }),
  VID_CREDENTIALS_UNREADABLE: (f: { path: string; reason: string }) => ({
    message: `The credentials in ${f.path} cannot be read: ${f.reason}.`,
    hint: 'Make the file readable for yourself, or set HOST_API_KEY.',
    fault: 'machine',
  }),
  VID_CREDENTIALS_UNWRITABLE: (f: { path: string; reason: string }) => ({
    message: `The credentials cannot be written to ${f.path}: ${f.reason}.`,
    hint: 'Make the folder writable for yourself, or set HOST_API_KEY instead of signing in.',
    fault: 'machine',
  }),
  VID_CREDENTIALS_LOCKED: (f: { path: string; holder: string }) => ({
    message: `${f.path} has been locked by ${f.holder} for too long.`,
    hint: 'Wait for that process, or end it, and try again.',
    fault: 'machine',
  }),
  VID_CREDENTIALS_NO_REFRESH: (f: { source: string }) => ({
    message: `The credential in use, ${f.source}, is a key, and keys are not refreshed.`,
    hint: 'A key stays valid until it is revoked; sign in with "vid auth login" for a credential that is refreshed.',
    fault: 'caller',
  }),
} satisfies ErrorTable
