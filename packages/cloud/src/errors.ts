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
  VID_CLOUD_SIZE: (f: { resolution: string; side: number; page: string; near: readonly string[] }) => ({
    message: `a composition of ${f.page} cannot be rendered at ${f.resolution}: with ${f.side} pixels on the shorter side, the other one is no whole number of pixels that encoders take`,
    hint: `change data-width and data-height, or ask for an aspect ratio; sizes of its shape are ${f.near.join(' and ') || 'all too large'}`,
    final: true,
    fault: 'caller',
  }),
  VID_CLOUD_SHAPE: (f: { entry: string }) => ({
    message: `"${f.entry}" cannot be laid out in another shape: its root element has no place in the text`,
    hint: 'write data-width and data-height on the root element, or leave the aspect ratio out',
    final: true,
    fault: 'caller',
  }),
  VID_CLOUD_TIMEOUT: (f: { minutes: number }) => ({
    message: `the render took longer than ${f.minutes} minutes`,
    hint: 'make the composition shorter or simpler, or have the operator raise the limit',
    final: true,
    fault: 'render',
  }),
  VID_CLOUD_GAVE_UP: (f: { tries: number; reason: string }) => ({
    message: `the render was tried ${f.tries} times: ${f.reason}`,
    hint: 'submit it again; if it happens again, the composition may need more memory than a worker has',
    final: true,
    fault: 'machine',
  }),
  VID_CLOUD_WORKER_LOST: (_: object) => ({
    message: 'the worker that rendered it ended',
    hint: 'it is rendered again by another worker',
    fault: 'machine',
  }),
  VID_CLOUD_JOB_LOST: (f: { job: string }) => ({
    message: `the job ${f.job} belongs to another worker now, or its render has ended`,
    hint: 'nothing is to be done: the work of this worker is dropped',
    fault: 'machine',
  }),
  VID_CLOUD_PART_LOST: (f: { key: string }) => ({
    message: `the storage has no "${f.key}", which is part of a render`,
    hint: 'the render is begun anew; check the storage if it happens again',
    fault: 'machine',
  }),
} as const satisfies ErrorTable

export const fail = defineErrors(cloudErrors)
