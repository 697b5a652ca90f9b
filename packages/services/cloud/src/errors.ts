import { defineErrors, type ErrorTable } from '@vid/protocol'

/** Errors of the hosted API's server. */
export const cloudErrors = {
  VID_CLOUD_ADMIN_CALL: (f: { name: string; problems: readonly string[] }) => ({
    message: `The server refuses "${f.name}": ${f.problems.join('; ')}.`,
    hint: 'Use the same version of vid for the command and the server.',
    fault: 'caller',
  }),
  VID_CLOUD_ADMIN_FAILED: (f: { reason: string }) => ({
    message: `The running server failed: ${f.reason}.`,
    hint: 'Its log may say more.',
    fault: 'machine',
  }),
  VID_CLOUD_BACKUP_PLACE: (f: { place: string; key: string }) => ({
    message: `A backup cannot be written to the ${f.place}, which has "${f.key}".`,
    hint: 'Name a folder that is empty or new, or another prefix of the bucket, for each backup.',
    fault: 'caller',
  }),
  VID_CLOUD_BACKUP_INVALID: (f: { place: string; problem: string }) => ({
    message: `There is no complete backup in the ${f.place}: ${f.problem}.`,
    hint: 'Name a backup that "vid cloud backup" has written.',
    fault: 'caller',
  }),
  VID_CLOUD_RESTORE_PLACE: (f: { problem: string }) => ({
    message: `A backup cannot be restored there: ${f.problem}.`,
    hint: 'Restore to a new database or --state folder, and an empty storage.',
    fault: 'caller',
  }),
  VID_CLOUD_DELIVERY_MISSING: (f: { delivery: string }) => ({
    message: `There is no delivery of a webhook with the id "${f.delivery}".`,
    hint: 'Give an id that vid cloud webhooks list shows.',
    fault: 'caller',
  }),
  VID_CLOUD_ACCOUNT_MISSING: (f: { account: string }) => ({
    message: `There is no account "${f.account}".`,
    hint: 'Give an id or an e-mail address that vid cloud accounts list shows.',
    fault: 'caller',
  }),
  VID_CLOUD_ACCOUNT_EXISTS: (f: { email: string }) => ({
    message: `There is already an account for ${f.email}.`,
    hint: 'Use that account, or another e-mail address.',
    fault: 'caller',
  }),
  VID_CLOUD_ACCOUNT_INVALID: (f: { field: string; problem: string }) => ({
    message: `The ${f.field} of the account cannot be used: ${f.problem}.`,
    hint: `Give another ${f.field}.`,
    fault: 'caller',
  }),
  VID_CLOUD_KEY_MISSING: (f: { key: string }) => ({
    message: `There is no API key with the id "${f.key}".`,
    hint: 'Give an id that vid cloud keys list shows, not the key itself.',
    fault: 'caller',
  }),
  VID_CLOUD_DATABASE_AWAY: (f: { reason: string; retryAfterSeconds?: number }) => ({
    message: `The database cannot be reached: ${f.reason}.`,
    hint: 'Start the database, or correct DATABASE_URL; the server resumes when it is back.',
    fault: 'machine',
  }),
  VID_CLOUD_DATABASE_BUSY: (f: { connections: number; retryAfterSeconds: number }) => ({
    message: `All ${f.connections} connections of this process to the database are in use.`,
    hint: 'Raise --database-connections, or start more processes; the database must allow all of them together.',
    fault: 'machine',
  }),
  VID_CLOUD_DATABASE_LACKS: (f: { reason: string; retryAfterSeconds: number }) => ({
    message: `The database cannot store anything: ${f.reason}.`,
    hint: 'Free space or memory on its machine; the server resumes when it can store again.',
    fault: 'machine',
  }),
  VID_CLOUD_NOT_READY: (f: { field: string; reason: string; retryAfterSeconds: number }) => ({
    message: `The server is not ready: its ${f.field} does not work: ${f.reason}.`,
    hint: 'Check the space, the address and the credentials of this part; the server resumes when it works again.',
    fault: 'machine',
  }),
  VID_CLOUD_PUBLICATION_UNKNOWN: (f: { publicationId: string }) => ({
    message: `There is no publication "${f.publicationId}".`,
    hint: 'It was removed, or belongs to another account.',
    fault: 'caller',
  }),
  VID_CLOUD_TEXT_UNFIT: (_facts: object) => ({
    message: 'A text has a NUL character or half a character, and cannot be stored.',
    hint: 'Remove the character; GET /openapi.json describes every request.',
    fault: 'caller',
  }),
  VID_CLOUD_RENDER_UNKNOWN: (f: { renderId: string }) => ({
    message: `There is no render "${f.renderId}".`,
    hint: 'It was never accepted, was deleted, or belongs to another account.',
    fault: 'caller',
  }),
  VID_CLOUD_SCHEMA_NEWER: (f: { found: number; known: number; madeBy?: string }) => ({
    message: `The database has schema version ${f.found}, but this process supports version ${f.known}.`,
    hint: f.madeBy
      ? `Run vid ${f.madeBy}, which migrated it, or a newer version.`
      : 'Run the version of vid that migrated it, or a newer one.',
    final: true,
    fault: 'machine',
  }),
  VID_CLOUD_STATE_LOCKED: (f: { folder: string; holder: string }) => ({
    message: `The state folder ${f.folder} is used by another server, ${f.holder}.`,
    hint: 'Stop that server, give this one another folder with --state, or use Postgres by DATABASE_URL.',
    fault: 'machine',
  }),
  VID_CLOUD_STATE_MISSING: (f: { folder: string }) => ({
    message: `The folder ${f.folder} is not the state folder of a server.`,
    hint: 'Name the state folder of the server with --state, or its Postgres by DATABASE_URL.',
    fault: 'caller',
  }),
  VID_CLOUD_STORAGE: (f: { action: string; key: string; reason: string }) => ({
    message: `The storage cannot ${f.action} "${f.key}": ${f.reason}.`,
    hint: 'Check the space, the address and the credentials of the storage.',
    fault: 'machine',
  }),
  VID_CLOUD_SIZE: (f: { resolution: string; side: number; page: string; near: readonly string[] }) => ({
    message: `A composition of ${f.page} cannot be rendered at ${f.resolution}: with ${f.side} pixels on the shorter side, the longer side is not a whole, even number of pixels.`,
    hint:
      f.near.length > 0
        ? `Give its root the size ${f.near.join(' or ')}, or request an aspect ratio.`
        : 'Give its root another size, or request an aspect ratio.',
    final: true,
    fault: 'caller',
  }),
  VID_CLOUD_SHAPE: (f: { entry: string }) => ({
    message: `"${f.entry}" cannot be laid out in another aspect ratio: its root element was not found in the source.`,
    hint: 'Write data-width and data-height on the root element, or leave the aspect ratio out.',
    final: true,
    fault: 'caller',
  }),
  VID_CLOUD_TIMEOUT: (f: { minutes: number }) => ({
    message: `The render took longer than ${f.minutes} minutes.`,
    hint: 'Make the composition shorter or simpler, or ask the operator to raise the limit.',
    final: true,
    fault: 'render',
  }),
  VID_CLOUD_RENDER_COST: (f: { limit: number }) => ({
    message: `The render took more than ${f.limit} worker seconds, the limit of the account.`,
    hint: 'Make the composition shorter, smaller or simpler, or ask the operator to raise the limit.',
    final: true,
    fault: 'render',
  }),
  VID_CLOUD_FRAME_COST: (f: { limit: number; frames: number; seconds: number }) => ({
    message: `${f.frames} frames took ${f.seconds} worker seconds; the account allows ${f.limit} per frame.`,
    hint: 'Make the composition smaller or simpler, look for loops that do not end, or ask the operator to raise the limit.',
    final: true,
    fault: 'render',
  }),
  VID_CLOUD_YIELD: (_: object) => ({
    message: 'Another account needs the slot of this job.',
    hint: 'No action is needed: the render resumes from its finished segments when a slot is free.',
    fault: 'machine',
  }),
  VID_CLOUD_GAVE_UP: (f: { tries: number; reason: string }) => ({
    message: `The render was tried ${f.tries} times: ${f.reason}.`,
    hint: 'Submit it again; if it happens again, the composition may need more memory than a worker has.',
    final: true,
    fault: 'machine',
  }),
  VID_CLOUD_WORKER_LOST: (_: object) => ({
    message: 'The worker of the render ended.',
    hint: 'Another worker renders it again.',
    fault: 'machine',
  }),
  VID_CLOUD_JOB_LOST: (f: { job: string }) => ({
    message: `The job ${f.job} belongs to another worker now, or its render has ended.`,
    hint: 'No action is needed: the server discards the work of this worker.',
    fault: 'machine',
  }),
  VID_CLOUD_PART_LOST: (f: { key: string }) => ({
    message: `The storage has no "${f.key}", which is part of a render.`,
    hint: 'The render starts again; check the storage if it happens again.',
    fault: 'machine',
  }),
  VID_CLOUD_OPTION: (f: { problems: readonly string[] }) => ({
    message: `Options of the server are wrong: ${f.problems.join('; ')}.`,
    hint: 'Correct the values named above.',
    fault: 'caller',
  }),
  VID_CLOUD_PARAMETER: (f: { field: string; problem: string }) => ({
    message: `${f.field} ${f.problem}.`,
    hint: 'Correct the value; GET /openapi.json describes every request.',
    fault: 'caller',
  }),
  VID_CLOUD_CODEC: (f: { field: string; codec: string; able: readonly string[] }) => ({
    message: `No worker of this server encodes ${f.codec}; they encode ${f.able.join(', ') || 'nothing'}.`,
    hint: 'Choose one of these, or leave the codec out. An operator who adds a worker with a newer ffmpeg can offer more.',
    fault: 'caller',
  }),
  VID_CLOUD_SEVERAL_SHAPES: (f: { renderId: string; videos: readonly string[] }) => ({
    message: `${f.renderId} has several shapes, and a page shows one video.`,
    hint: `Publish one of its outputs: ${f.videos.join(', ')}.`,
    fault: 'caller',
  }),
  VID_CLOUD_OUTPUT_DELETE: (f: { renderId: string; parentId: string }) => ({
    message: `${f.renderId} is one of the outputs of ${f.parentId}, which are deleted together.`,
    hint: `Delete ${f.parentId}.`,
    fault: 'caller',
  }),
  VID_CLOUD_POSTER_LOST: (f: { renderId: string }) => ({
    message: `The poster of ${f.renderId} is not where the encoder writes it.`,
    hint: 'A delivery in the config of the server may have moved it: leave only deliveries that keep the files.',
    final: true,
    fault: 'machine',
  }),
  VID_CLOUD_PROJECT_INVALID: (f: { field: string; problems: readonly string[] }) => ({
    message: `The project cannot be rendered: ${f.problems.join('; ')}.`,
    hint: 'Correct the project or the request, and send it again.',
    fault: 'caller',
  }),
  VID_CLOUD_PROJECT_ADDRESS: (f: { field: string; reason: string }) => ({
    message: `The project cannot be fetched: ${f.reason}.`,
    hint: 'Give a public https address that answers with a zip, or upload the zip to /v3/assets.',
    fault: 'caller',
  }),
  VID_CLOUD_PROJECT_BYTES: (f: { limit: number }) => ({
    message: `The zip is larger than ${f.limit} bytes, the limit of the account.`,
    hint: 'Leave out what the composition does not use, or ask the operator to raise the limit.',
    fault: 'caller',
  }),
  VID_CLOUD_PROJECTS_FULL: (f: { limit: number }) => ({
    message: `The projects of the account would exceed ${f.limit} bytes in total.`,
    hint: 'The server removes unused projects after a while; the operator can raise the limit.',
    fault: 'caller',
  }),
  VID_CLOUD_PROJECT_LOST: (f: { key: string; problem: string }) => ({
    message: `The project "${f.key}" in the storage ${f.problem}.`,
    hint: 'Upload the project again; check the storage if it happens again.',
    fault: 'machine',
  }),
  VID_CLOUD_SPACE_FULL: (_: { retryAfterSeconds: number }) => ({
    message: 'The server has no space left for uploads at the moment.',
    hint: 'Try again after the time in Retry-After.',
    fault: 'machine',
  }),
  VID_CLOUD_ASSET_UNKNOWN: (f: { assetId: string; field: string }) => ({
    message: `There is no asset "${f.assetId}".`,
    hint: 'Upload the project to /v3/assets; the server removes assets that are unused for long.',
    fault: 'caller',
  }),
  VID_CLOUD_UPLOAD_UNKNOWN: (f: { uploadId: string }) => ({
    message: `There is no upload "${f.uploadId}".`,
    hint: 'Begin another one with POST /v3/assets/uploads; uploads expire after a day.',
    fault: 'caller',
  }),
  VID_CLOUD_UPLOADS_OPEN: (f: { limit: number; retryAfterSeconds: number }) => ({
    message: `The account's incomplete uploads exceed ${f.limit} bytes in total.`,
    hint: 'Complete them, or wait until they expire after a day.',
    fault: 'caller',
  }),
  VID_CLOUD_KEY_CONFLICT: (_: object) => ({
    message: 'The Idempotency-Key was used before with another body.',
    hint: 'Send a new key with new work; keys are kept for 24 hours.',
    fault: 'caller',
  }),
  VID_CLOUD_KEY_IN_USE: (_: { retryAfterSeconds: number }) => ({
    message: 'A request with the same Idempotency-Key is still in progress.',
    hint: 'Send it again after the time in Retry-After to get its reply.',
    fault: 'caller',
  }),
  VID_CLOUD_KEY_TAKEN_OVER: (_: { retryAfterSeconds: number }) => ({
    message: 'The request took too long, and another request with the same Idempotency-Key replaced it.',
    hint: 'Send it again after the time in Retry-After to get the reply of that request.',
    fault: 'machine',
  }),
  VID_CLOUD_OPEN_RENDERS: (f: { limit: number; retryAfterSeconds: number }) => ({
    message: `The account has ${f.limit} queued or running renders, which is its limit.`,
    hint: 'Wait until some have ended, or delete them.',
    fault: 'caller',
  }),
  VID_CLOUD_QUOTA: (f: { used: number; limit: number; until: string }) => ({
    message: `The account has used ${f.used} of its ${f.limit} billed seconds.`,
    hint: `The next period begins ${f.until}; the operator can raise the limit.`,
    fault: 'caller',
  }),
  VID_CLOUD_RATE: (f: { limit: number; retryAfterSeconds: number }) => ({
    message: `The account sent more than ${f.limit} requests in a minute.`,
    hint: 'Wait for the time in Retry-After.',
    fault: 'caller',
  }),
  VID_CLOUD_CREDENTIALS_RATE: (_: { retryAfterSeconds: number }) => ({
    message: 'Too many requests from this address carried wrong credentials.',
    hint: 'Correct the credential, and wait for the time in Retry-After.',
    fault: 'caller',
  }),
  VID_CLOUD_ADDRESS_EXPIRED: (_: object) => ({
    message: 'The address of this file has expired or was changed.',
    hint: 'Fetch the render or the asset again: each reply has a newly signed address.',
    fault: 'caller',
  }),
  VID_CLOUD_METRICS_CLOSED: (_: object) => ({
    message: 'This client may not read the metrics.',
    hint: 'Send the token for metrics, which the operator sets, as Authorization: Bearer.',
    fault: 'caller',
  }),
  VID_CLOUD_STORAGE_ADDRESS: (f: { problem: string }) => ({
    message: `The address of the storage cannot be used: ${f.problem}.`,
    hint: 'Use the form s3://bucket/prefix?region=eu-central-1, with &endpoint=https://s3.example for another server.',
    fault: 'caller',
  }),
  VID_OIDC_CLIENT_MISSING: (f: { issuer: string }) => ({
    message: `The server is not registered as a client of the OpenID provider ${f.issuer}.`,
    hint: 'Register a client there, and set VID_OIDC_CLIENT_ID and VID_OIDC_CLIENT_SECRET.',
    fault: 'caller',
  }),
} as const satisfies ErrorTable

export const fail = defineErrors(cloudErrors)
