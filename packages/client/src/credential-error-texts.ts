import type { ErrorTable } from '@vid/kernel'

/** Errors of the stored credentials. */
export const credentialTexts = {
  VID_CREDENTIALS_MISSING: (f: { url: string; path: string }) => ({
    message: `there is no credential for the hosted API at ${f.url}: HOST_API_KEY and VID_API_KEY are not set, and nothing is stored in ${f.path}`,
    hint: 'sign in with "vid auth login", or set HOST_API_KEY',
    fault: 'caller',
  }),
  VID_CREDENTIALS_ELSEWHERE: (f: { url: string; path: string; storedFor: string }) => ({
    message: `the credential in ${f.path} is for ${f.storedFor}, and is not sent to ${f.url}`,
    hint: 'set HOST_API_URL to the address that it is for, or sign in at this one with "vid auth login"',
    fault: 'caller',
  }),
  VID_CREDENTIALS_MODE: (f: { path: string; mode: string; fix: string }) => ({
    message: `${f.path} can be read or changed by other users (mode ${f.mode}), so that what is in it is no secret`,
    hint: `run: chmod ${f.fix} ${f.path}; if others use this machine, sign in anew afterwards`,
    fault: 'caller',
  }),
  VID_CREDENTIALS_KIND: (f: { path: string; found: string }) => ({
    message: `${f.path} is ${f.found}; credentials are read from a file of your own only`,
    hint: 'move it away, and sign in with "vid auth login"',
    fault: 'caller',
  }),
  VID_CREDENTIALS_DAMAGED: (f: { path: string; problem: string }) => ({
    message: `${f.path} does not hold credentials: ${f.problem}`,
    hint: 'move it away, and sign in with "vid auth login"',
    fault: 'caller',
  }),
  VID_CREDENTIALS_UNREADABLE: (f: { path: string; reason: string }) => ({
    message: `the credentials in ${f.path} cannot be read: ${f.reason}`,
    hint: 'make the file readable for yourself, or set HOST_API_KEY',
    fault: 'machine',
  }),
  VID_CREDENTIALS_UNWRITABLE: (f: { path: string; reason: string }) => ({
    message: `the credentials cannot be written to ${f.path}: ${f.reason}`,
    hint: 'make the folder writable for yourself, or set HOST_API_KEY in place of signing in',
    fault: 'machine',
  }),
  VID_CREDENTIALS_LOCKED: (f: { path: string; holder: string }) => ({
    message: `${f.path} is in use by ${f.holder}, for longer than changing it takes`,
    hint: 'wait for that process, or end it, and try again',
    fault: 'machine',
  }),
  VID_CREDENTIALS_NO_REFRESH: (f: { source: string }) => ({
    message: `the credential in use, ${f.source}, is a key, which is not refreshed`,
    hint: 'a key stays valid until it is revoked; sign in with "vid auth login" for one that is refreshed',
    fault: 'caller',
  }),
} satisfies ErrorTable
