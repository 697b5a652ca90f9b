import { coreErrors } from '@vid/core'
import { defineErrors, type ErrorTable } from '@vid/protocol'

/** Errors of the render server. */
export const producerErrors = {
  VID_PRODUCER_SOURCE: (f: { given: readonly string[] }) => ({
    message:
      f.given.length === 0
        ? 'The request names no composition.'
        : `The request names its composition ${f.given.length} times: ${f.given.join(', ')}.`,
    hint: 'Send one of projectDir, html, project, or a zip as the part projectZip.',
    fault: 'caller',
  }),
  VID_PRODUCER_OUTSIDE: (f: { field: string; path: string }) => ({
    message: `${f.field} "${f.path}" is not inside the folder that the server allows.`,
    hint: 'Give a path below the root of the server, without links that leave it or hidden folders.',
    fault: 'caller',
  }),
  VID_PRODUCER_MISSING: (f: { field: string; path: string; what: string }) => ({
    message: `${f.field} "${f.path}" is not a ${f.what}.`,
    hint: `Give the path of a ${f.what} that exists.`,
    fault: 'caller',
  }),
  VID_PRODUCER_ENTRY: (f: { entry: string }) => ({
    message: `The entryFile "${f.entry}" cannot be the name of an HTML file in the project.`,
    hint: 'Give a relative path with forward slashes, such as index.html.',
    fault: 'caller',
  }),
  VID_PRODUCER_DUPLICATE: (f: { requestId: string }) => ({
    message: `A request with the id "${f.requestId}" is already in progress.`,
    hint: 'Follow it at /render/{requestId}, or send another x-request-id.',
    fault: 'caller',
  }),
  VID_PRODUCER_FULL: (f: { queued: number; retryAfterSeconds: number }) => ({
    message: `The queue is full: ${f.queued} requests wait.`,
    hint: 'Try again after the time in Retry-After.',
    fault: 'machine',
  }),
  VID_PRODUCER_UPLOADS_FULL: (_: { retryAfterSeconds: number }) => ({
    message: 'The server has no space left for uploads and results at the moment.',
    hint: 'Try again after the time in Retry-After, when renders have ended.',
    fault: 'machine',
  }),
  VID_PRODUCER_REQUEST_UNKNOWN: (f: { requestId: string }) => ({
    message: `There is no request "${f.requestId}".`,
    hint: 'It was never accepted, belongs to another token, or ended long ago.',
    fault: 'caller',
  }),
  VID_PRODUCER_ENDED: (f: { requestId: string; status: string }) => ({
    message: `The request "${f.requestId}" has ended: ${f.status}.`,
    hint: 'Only waiting and running requests can be cancelled.',
    fault: 'caller',
  }),
  VID_PRODUCER_OUTPUT_UNKNOWN: (_: object) => ({
    message: 'There is no output with this token.',
    hint: 'Tokens expire a while after the render; render again.',
    fault: 'caller',
  }),
  VID_PRODUCER_PROJECT_UNKNOWN: (f: { project: string }) => ({
    message: `The server does not have the project ${f.project}.`,
    hint: 'Upload it with PUT /projects/{digest} first; the server removes unused projects.',
    fault: 'caller',
  }),
  VID_PRODUCER_PROJECT_DIGEST: (f: { expected: string; found: string }) => ({
    message: `The uploaded project has the digest ${f.found}, not ${f.expected}.`,
    hint: 'Send exactly the files that the digest was computed from.',
    fault: 'caller',
  }),
  VID_PRODUCER_DEADLINE: (f: { timeoutMs: number }) => ({
    message: `The render was stopped after ${f.timeoutMs} ms.`,
    hint: 'Request a longer timeoutMs, up to the limit of the server, or render less at once.',
    final: true,
    fault: 'render',
  }),
  VID_PRODUCER_GAVE_UP: (f: { attempts: number }) => ({
    message: `The server ended ${f.attempts} times while it rendered this request.`,
    hint: 'The composition may need more memory than the server has: render it alone, or with fewer workers.',
    final: true,
    fault: 'render',
  }),
  VID_PRODUCER_PROJECT_LOST: (_: object) => ({
    message: 'The project of the request is no longer complete on the server.',
    hint: 'Send the project and the request again.',
    final: true,
    fault: 'machine',
  }),
  VID_PRODUCER_STOPPING: (f: { kept: boolean }) => ({
    message: 'The server is stopping.',
    hint: f.kept
      ? 'The server keeps the request and resumes it after a restart: follow it at /render/{requestId}.'
      : 'Send the request again when the server runs again.',
    fault: 'machine',
  }),
  VID_PRODUCER_STATE_LOCKED: (f: { folder: string; holder: string }) => ({
    message: `The state folder ${f.folder} is used by another server, ${f.holder}.`,
    hint: 'Stop that server, or give this one another folder with --state.',
    fault: 'machine',
  }),
  VID_PRODUCER_STATE_UNUSABLE: (f: { folder: string; reason: string }) => ({
    message: `The state folder ${f.folder} cannot be used: ${f.reason}.`,
    hint: 'Give --state a folder of this user, on a disk with space.',
    fault: 'machine',
  }),
  VID_PRODUCER_ROOT: (f: { what: string; folder: string; reason: string }) => ({
    message: `The server's folder for ${f.what}, ${f.folder}, cannot be used: ${f.reason}.`,
    hint: 'Name an existing folder that this user can read.',
    fault: 'caller',
  }),
  VID_PRODUCER_OPTION: (f: { problems: readonly string[] }) => ({
    message: `Options of the render server are wrong: ${f.problems.join('; ')}.`,
    hint: 'Correct the values named above.',
    fault: 'caller',
  }),
} satisfies ErrorTable

export const fail = defineErrors(producerErrors)

/** Error for an upload without free space: a client may retry once renders end or slow uploads are cut off. */
export const uploadsFull = (): Error => fail('VID_PRODUCER_UPLOADS_FULL', { retryAfterSeconds: 30 })

/** HTTP statuses by error code; for other codes, the fault of the error decides. */
export const producerStatuses: Readonly<Record<string, number>> = {
  // An error in the source of a composition is an error of the request that sent it.
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
