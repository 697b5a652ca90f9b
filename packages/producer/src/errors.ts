import { coreErrors } from '@vid/core'
import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of the render server. */
export const producerErrors = {
  VID_PRODUCER_SOURCE: (f: { given: readonly string[] }) => ({
    message:
      f.given.length === 0
        ? 'the request names no composition'
        : `the request names its composition ${f.given.length} times: ${f.given.join(', ')}`,
    hint: 'send one of projectDir, html, project, or a zip as the part projectZip',
    fault: 'caller',
  }),
  VID_PRODUCER_OUTSIDE: (f: { field: string; path: string }) => ({
    message: `${f.field} "${f.path}" is not inside the folder that the server allows`,
    hint: 'give a path below the root of the server, without links that leave it or hidden folders',
    fault: 'caller',
  }),
  VID_PRODUCER_MISSING: (f: { field: string; path: string; what: string }) => ({
    message: `${f.field} "${f.path}" is no ${f.what}`,
    hint: `give the path of a ${f.what} that exists`,
    fault: 'caller',
  }),
  VID_PRODUCER_ENTRY: (f: { entry: string }) => ({
    message: `entryFile "${f.entry}" cannot be the name of an HTML file in the project`,
    hint: 'give a relative path with forward slashes, such as index.html',
    fault: 'caller',
  }),
  VID_PRODUCER_DUPLICATE: (f: { requestId: string }) => ({
    message: `a request with the id "${f.requestId}" is in flight`,
    hint: 'follow it at /render/{requestId}, or send another x-request-id',
    fault: 'caller',
  }),
  VID_PRODUCER_FULL: (f: { queued: number; retryAfterSeconds: number }) => ({
    message: `the queue is full: ${f.queued} requests wait`,
    hint: 'try again after the seconds of Retry-After',
    fault: 'machine',
  }),
  VID_PRODUCER_UPLOADS_FULL: (_: { retryAfterSeconds: number }) => ({
    message: 'what clients send and have rendered at the moment fills the space of the server',
    hint: 'try again after the seconds of Retry-After, when renders have ended',
    fault: 'machine',
  }),
  VID_PRODUCER_REQUEST_UNKNOWN: (f: { requestId: string }) => ({
    message: `there is no request "${f.requestId}"`,
    hint: 'it was never accepted, belongs to another token, or ended long ago',
    fault: 'caller',
  }),
  VID_PRODUCER_ENDED: (f: { requestId: string; status: string }) => ({
    message: `the request "${f.requestId}" has ended: ${f.status}`,
    hint: 'only waiting and running requests can be cancelled',
    fault: 'caller',
  }),
  VID_PRODUCER_OUTPUT_UNKNOWN: (_: object) => ({
    message: 'there is no output with this token',
    hint: 'tokens expire a while after the render; render again',
    fault: 'caller',
  }),
  VID_PRODUCER_PROJECT_UNKNOWN: (f: { project: string }) => ({
    message: `the server does not have the project ${f.project}`,
    hint: 'upload it with PUT /projects/{digest} first; the server forgets projects that are not used',
    fault: 'caller',
  }),
  VID_PRODUCER_PROJECT_DIGEST: (f: { expected: string; found: string }) => ({
    message: `the project that was sent has the digest ${f.found}, not ${f.expected}`,
    hint: 'send exactly the files that the digest was made of',
    fault: 'caller',
  }),
  VID_PRODUCER_DEADLINE: (f: { timeoutMs: number }) => ({
    message: `the render was stopped after ${f.timeoutMs} ms`,
    hint: 'ask for a longer timeoutMs, as far as the limit of the server allows, or render less at once',
    final: true,
    fault: 'render',
  }),
  VID_PRODUCER_GAVE_UP: (f: { attempts: number }) => ({
    message: `the server ended ${f.attempts} times while it rendered this request`,
    hint: 'the composition may need more memory than the server has: render it alone, or with fewer workers',
    final: true,
    fault: 'render',
  }),
  VID_PRODUCER_PROJECT_LOST: (_: object) => ({
    message: 'the project of the request is no longer whole on the server',
    hint: 'send the project and the request again',
    final: true,
    fault: 'machine',
  }),
  VID_PRODUCER_STOPPING: (f: { kept: boolean }) => ({
    message: 'the server is stopping',
    hint: f.kept
      ? 'the request is kept, and goes on when the server runs again: ask for /render/{requestId}'
      : 'send the request again when the server runs again',
    fault: 'machine',
  }),
  VID_PRODUCER_STATE_LOCKED: (f: { folder: string; holder: string }) => ({
    message: `the state folder ${f.folder} is used by another server, ${f.holder}`,
    hint: 'stop that server, or give this one a folder of its own with --state',
    fault: 'machine',
  }),
  VID_PRODUCER_STATE_UNUSABLE: (f: { folder: string; reason: string }) => ({
    message: `the state folder ${f.folder} cannot be used: ${f.reason}`,
    hint: 'give --state a folder of this user, on a disk with space',
    fault: 'machine',
  }),
  VID_PRODUCER_ROOT: (f: { what: string; folder: string; reason: string }) => ({
    message: `the server's folder for ${f.what}, ${f.folder}, cannot be used: ${f.reason}`,
    hint: 'name a folder that exists and that this user may read',
    fault: 'caller',
  }),
  VID_PRODUCER_OPTION: (f: { problems: readonly string[] }) => ({
    message: `options of the render server are wrong: ${f.problems.join('; ')}`,
    hint: 'correct the values named above',
    fault: 'caller',
  }),
} satisfies ErrorTable

export const fail = defineErrors(producerErrors)

/** HTTP statuses of replies by code; others follow from the fault. */
export const producerStatuses: Readonly<Record<string, number>> = {
  // What is wrong with the text of a composition is wrong with the request that sent it.
  ...Object.fromEntries(Object.keys(coreErrors).map((code) => [code, 400])),
  VID_LINT_STRICT: 400,
  VID_PRODUCER_OUTSIDE: 403,
  VID_NETWORK_LIMITED: 403,
  VID_PRODUCER_DUPLICATE: 409,
  VID_PRODUCER_ENDED: 409,
  VID_PRODUCER_FULL: 429,
  VID_PRODUCER_UPLOADS_FULL: 429,
  VID_PRODUCER_REQUEST_UNKNOWN: 404,
  VID_PRODUCER_OUTPUT_UNKNOWN: 404,
  VID_PRODUCER_PROJECT_UNKNOWN: 404,
  VID_PRODUCER_STOPPING: 503,
  VID_PROJECT_TOO_LARGE: 413,
  VID_ZIP_ENTRIES: 413,
  VID_ZIP_FILE_BYTES: 413,
  VID_ZIP_BYTES: 413,
  VID_ZIP_RATIO: 413,
  VID_CANCELLED: 499,
}
