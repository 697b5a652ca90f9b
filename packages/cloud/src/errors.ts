import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of the hosted API's server. */
export const cloudErrors = {
  VID_CLOUD_DATABASE_AWAY: (f: { reason: string }) => ({
    message: `the database cannot be reached: ${f.reason}`,
    hint: 'start the database, or correct DATABASE_URL; the server goes on when it is back',
    fault: 'machine',
  }),
  VID_CLOUD_SCHEMA_NEWER: (f: { found: number; known: number }) => ({
    message: `the database has tables of version ${f.found}, this process knows version ${f.known}`,
    hint: 'run the version of vid that made them, or a newer one',
    final: true,
    fault: 'machine',
  }),
  VID_CLOUD_STATE_LOCKED: (f: { folder: string; holder: string }) => ({
    message: `the state folder ${f.folder} is used by another server, ${f.holder}`,
    hint: 'stop that server, give this one a folder of its own with --state, or use Postgres by DATABASE_URL',
    fault: 'machine',
  }),
  VID_CLOUD_STORAGE: (f: { action: string; key: string; reason: string }) => ({
    message: `the storage cannot ${f.action} "${f.key}": ${f.reason}`,
    hint: 'check the space, the address and the credentials of the storage',
    fault: 'machine',
  }),
} as const satisfies ErrorTable

export const fail = defineErrors(cloudErrors)
