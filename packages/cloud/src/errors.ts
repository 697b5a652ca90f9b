import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of the hosted API's server. */
export const cloudErrors = {
  VID_CLOUD_ADMIN_CALL: (f: { name: string; problems: readonly string[] }) => ({
    message: `the server cannot do "${f.name}" as asked: ${f.problems.join('; ')}`,
    hint: 'use the same version of vid for the command and the server',
    fault: 'caller',
  }),
  VID_CLOUD_ADMIN_FAILED: (f: { reason: string }) => ({
    message: `the running server failed to do it: ${f.reason}`,
    hint: 'its log may say more',
    fault: 'machine',
  }),
  VID_CLOUD_BACKUP_PLACE: (f: { place: string; key: string }) => ({
    message: `a backup cannot be written to the ${f.place}, which has "${f.key}"`,
    hint: 'name a folder that is empty or new, or another prefix of the bucket, for each backup',
    fault: 'caller',
  }),
  VID_CLOUD_BACKUP_INVALID: (f: { place: string; problem: string }) => ({
    message: `there is no whole backup in the ${f.place}: ${f.problem}`,
    hint: 'name what vid cloud backup has written, or restore another backup',
    fault: 'caller',
  }),
  VID_CLOUD_RESTORE_PLACE: (f: { problem: string }) => ({
    message: `a backup cannot be restored there: ${f.problem}`,
    hint: 'restore to a new database or --state folder, and a storage of its own',
    fault: 'caller',
  }),
  VID_CLOUD_DELIVERY_MISSING: (f: { delivery: string }) => ({
    message: `there is no delivery of a webhook with the id "${f.delivery}"`,
    hint: 'give an id that vid cloud webhooks list shows',
    fault: 'caller',
  }),
  VID_CLOUD_ACCOUNT_MISSING: (f: { account: string }) => ({
    message: `there is no account "${f.account}"`,
    hint: 'give an id or an e-mail address that vid cloud accounts list shows',
    fault: 'caller',
  }),
  VID_CLOUD_ACCOUNT_EXISTS: (f: { email: string }) => ({
    message: `there is an account of ${f.email} already`,
    hint: 'use that account, or another e-mail address',
    fault: 'caller',
  }),
  VID_CLOUD_ACCOUNT_INVALID: (f: { field: string; problem: string }) => ({
    message: `the ${f.field} of the account cannot be used: ${f.problem}`,
    hint: `give another ${f.field}`,
    fault: 'caller',
  }),
  VID_CLOUD_KEY_MISSING: (f: { key: string }) => ({
    message: `there is no API key with the id "${f.key}"`,
    hint: 'give an id that vid cloud keys list shows, not the key itself',
    fault: 'caller',
  }),
  VID_CLOUD_DATABASE_AWAY: (f: { reason: string; retryAfterSeconds?: number }) => ({
    message: `the database cannot be reached: ${f.reason}`,
    hint: 'start the database, or correct DATABASE_URL; the server goes on when it is back',
    fault: 'machine',
  }),
  VID_CLOUD_PUBLICATION_UNKNOWN: (f: { publicationId: string }) => ({
    message: `there is no publication "${f.publicationId}"`,
    hint: 'it was removed, or belongs to another account',
    fault: 'caller',
  }),
  VID_CLOUD_RENDER_UNKNOWN: (f: { renderId: string }) => ({
    message: `there is no render "${f.renderId}"`,
    hint: 'it was never accepted, was deleted, or belongs to another account',
    fault: 'caller',
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
  VID_CLOUD_STATE_MISSING: (f: { folder: string }) => ({
    message: `no server has kept anything in the folder ${f.folder}`,
    hint: 'name the state folder of the server with --state, or its Postgres by DATABASE_URL',
    fault: 'caller',
  }),
  VID_CLOUD_STORAGE: (f: { action: string; key: string; reason: string }) => ({
    message: `the storage cannot ${f.action} "${f.key}": ${f.reason}`,
    hint: 'check the space, the address and the credentials of the storage',
    fault: 'machine',
  }),
  VID_CLOUD_SIZE: (f: { resolution: string; side: number; page: string; near: readonly string[] }) => ({
    message: `a composition of ${f.page} cannot be rendered at ${f.resolution}: with ${f.side} pixels on the shorter side, the other one is no whole number of pixels that encoders take`,
    hint:
      f.near.length > 0
        ? `give its root the size ${f.near.join(' or ')}, or ask for an aspect ratio`
        : 'give its root another size, or ask for an aspect ratio',
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
  VID_CLOUD_RENDER_COST: (f: { limit: number }) => ({
    message: `the render took more than ${f.limit} seconds of a worker, the limit of the account`,
    hint: 'make the composition shorter, smaller or simpler, or have the operator raise the limit',
    final: true,
    fault: 'render',
  }),
  VID_CLOUD_FRAME_COST: (f: { limit: number; frames: number; seconds: number }) => ({
    message: `${f.frames} frames took ${f.seconds} seconds of a worker; the account allows ${f.limit} for each`,
    hint: 'make the composition smaller or simpler, look for loops that do not end, or have the operator raise the limit',
    final: true,
    fault: 'render',
  }),
  VID_CLOUD_YIELD: (_: object) => ({
    message: 'another account waits for the slot of this job',
    hint: 'nothing is to be done: the render goes on from its finished segments when a slot is free',
    fault: 'machine',
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
  VID_CLOUD_OPTION: (f: { problems: readonly string[] }) => ({
    message: `options of the server are wrong: ${f.problems.join('; ')}`,
    hint: 'correct the values named above',
    fault: 'caller',
  }),
  VID_CLOUD_PARAMETER: (f: { field: string; problem: string }) => ({
    message: `${f.field} ${f.problem}`,
    hint: 'correct the value; GET /openapi.json describes every request',
    fault: 'caller',
  }),
  VID_CLOUD_PROJECT_INVALID: (f: { field: string; problems: readonly string[] }) => ({
    message: `the project cannot be rendered: ${f.problems.join('; ')}`,
    hint: 'correct the project or the request, and send it again',
    fault: 'caller',
  }),
  VID_CLOUD_PROJECT_ADDRESS: (f: { field: string; reason: string }) => ({
    message: `the project cannot be fetched: ${f.reason}`,
    hint: 'give a public https address that answers with a zip, or upload the zip to /v3/assets',
    fault: 'caller',
  }),
  VID_CLOUD_PROJECT_BYTES: (f: { limit: number }) => ({
    message: `the zip is larger than ${f.limit} bytes, the limit of the account`,
    hint: 'leave out what the composition does not use, or have the operator raise the limit',
    fault: 'caller',
  }),
  VID_CLOUD_PROJECTS_FULL: (f: { limit: number }) => ({
    message: `the projects of the account would take more than ${f.limit} bytes together`,
    hint: 'projects that are not used for a while are removed; the operator can raise the limit',
    fault: 'caller',
  }),
  VID_CLOUD_PROJECT_LOST: (f: { key: string; problem: string }) => ({
    message: `the project "${f.key}" in the storage ${f.problem}`,
    hint: 'upload the project again; check the storage if it happens again',
    fault: 'machine',
  }),
  VID_CLOUD_SPACE_FULL: (_: { retryAfterSeconds: number }) => ({
    message: 'what clients send at the moment fills the space of the server',
    hint: 'try again after the seconds of Retry-After',
    fault: 'machine',
  }),
  VID_CLOUD_ASSET_UNKNOWN: (f: { assetId: string; field: string }) => ({
    message: `there is no asset "${f.assetId}"`,
    hint: 'upload the project to /v3/assets; assets that are not used for long are removed',
    fault: 'caller',
  }),
  VID_CLOUD_UPLOAD_UNKNOWN: (f: { uploadId: string }) => ({
    message: `there is no upload "${f.uploadId}"`,
    hint: 'begin another one with POST /v3/assets/uploads; uploads expire after a day',
    fault: 'caller',
  }),
  VID_CLOUD_UPLOADS_OPEN: (f: { limit: number; retryAfterSeconds: number }) => ({
    message: `the account's uploads that are not complete have more than ${f.limit} bytes together`,
    hint: 'complete them, or wait until they expire after a day',
    fault: 'caller',
  }),
  VID_CLOUD_KEY_CONFLICT: (_: object) => ({
    message: 'the Idempotency-Key was used before with another body',
    hint: 'send a new key with new work; keys are kept for 24 hours',
    fault: 'caller',
  }),
  VID_CLOUD_KEY_IN_USE: (_: { retryAfterSeconds: number }) => ({
    message: 'a request with the same Idempotency-Key is answered at the moment',
    hint: 'send it again after the seconds of Retry-After to get its reply',
    fault: 'caller',
  }),
  VID_CLOUD_KEY_TAKEN_OVER: (_: { retryAfterSeconds: number }) => ({
    message: 'the request took so long that another one with its Idempotency-Key took its place',
    hint: 'send it again after the seconds of Retry-After to get the reply of that one',
    fault: 'machine',
  }),
  VID_CLOUD_OPEN_RENDERS: (f: { limit: number; retryAfterSeconds: number }) => ({
    message: `the account has ${f.limit} renders that are queued or rendering, as many as it may`,
    hint: 'wait until some have ended, or delete them',
    fault: 'caller',
  }),
  VID_CLOUD_QUOTA: (f: { used: number; limit: number; until: string }) => ({
    message: `the account has used ${f.used} of its ${f.limit} billed seconds`,
    hint: `the next period begins ${f.until}; the operator can raise the limit`,
    fault: 'caller',
  }),
  VID_CLOUD_RATE: (f: { limit: number; retryAfterSeconds: number }) => ({
    message: `more than ${f.limit} requests in a minute`,
    hint: 'wait for the seconds of Retry-After',
    fault: 'caller',
  }),
  VID_CLOUD_CREDENTIALS_RATE: (_: { retryAfterSeconds: number }) => ({
    message: 'too many requests of this address carried wrong credentials',
    hint: 'correct the credential, and wait for the seconds of Retry-After',
    fault: 'caller',
  }),
  VID_CLOUD_ADDRESS_EXPIRED: (_: object) => ({
    message: 'the address of this file has expired, or was changed',
    hint: 'ask for the render or the asset again: each reply has a fresh address',
    fault: 'caller',
  }),
  VID_CLOUD_METRICS_CLOSED: (_: object) => ({
    message: 'metrics are not given to clients from elsewhere',
    hint: 'the operator sets a token for metrics, and reads them with Authorization: Bearer',
    fault: 'caller',
  }),
  VID_CLOUD_STORAGE_ADDRESS: (f: { problem: string }) => ({
    message: `the address of the storage cannot be used: ${f.problem}`,
    hint: 'write it like s3://bucket/prefix?region=eu-central-1, with &endpoint=https://s3.example for another server',
    fault: 'caller',
  }),
  VID_OIDC_CLIENT_MISSING: (f: { issuer: string }) => ({
    message: `the OpenID provider ${f.issuer} is to sign people in, but this server has no client there`,
    hint: 'register a client there, and set VID_OIDC_CLIENT_ID and VID_OIDC_CLIENT_SECRET',
    fault: 'caller',
  }),
} as const satisfies ErrorTable

export const fail = defineErrors(cloudErrors)
