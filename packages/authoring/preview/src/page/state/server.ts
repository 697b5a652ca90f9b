import { type ErrorData, isVidError, VidError } from '@vid/protocol'
import { API } from '../../api-paths.ts'
import type { UploadReply } from '../../edit-api.ts'
import { failPage } from '../../page-errors.ts'

const isErrorData = (value: unknown): value is ErrorData =>
  value instanceof Object && 'code' in value && 'message' in value && 'hint' in value

/** The error that a reply carries; what is no error of the server is described by its status. */
const errorOf = async (response: Response): Promise<VidError> => {
  const body: unknown = await response.json().catch(() => undefined)
  const error = body instanceof Object && 'error' in body ? body.error : undefined
  if (isErrorData(error)) return new VidError(error.code, error)
  return failPage('VID_PREVIEW_REPLY', { status: response.status })
}

const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(path, init).catch((cause: unknown) => {
    init.signal?.throwIfAborted()
    throw failPage('VID_PREVIEW_UNREACHABLE', {}, { cause })
  })
  if (!response.ok) throw await errorOf(response)
  return response
}

/** A path of the API with the values of its query. */
export const withQuery = (path: string, query: Readonly<Record<string, string | number>>): string =>
  `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`

/** The JSON of a reply; the type is what the API promises of the path. */
export const read = async <T>(path: string, signal?: AbortSignal): Promise<T> => {
  const response = await send(path, signal ? { signal } : {})
  return response.json()
}

const post = (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
  send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })

/** Sends JSON, and reads that of the reply. */
export const sendJson = async <T>(path: string, body: object, signal?: AbortSignal): Promise<T> => {
  const response = await post(path, body, signal)
  return response.json()
}

/** Sends JSON, and reads the file of the reply. */
export const sendForFile = async (path: string, body: object, signal?: AbortSignal): Promise<Blob> => {
  const response = await post(path, body, signal)
  return response.blob()
}

/** Sends a file that was dropped onto the page. */
export const upload = async (file: File, signal: AbortSignal): Promise<UploadReply> => {
  const response = await send(withQuery(API.upload, { name: file.name }), {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
    signal,
  })
  return response.json()
}

/** Removes what a path stands for, and reads the JSON of the reply. */
export const sendDelete = async <T>(path: string): Promise<T> => {
  const response = await send(path, { method: 'DELETE' })
  return response.json()
}

/** Asks the server to end a job. */
export const deleteJob = async (id: string): Promise<void> => {
  await sendDelete(API.job.replace(':id', encodeURIComponent(id)))
}

/** What is shown of anything that was thrown. */
interface Failure {
  readonly message: string
  readonly hint: string
}

/** The message and the hint of anything that was thrown. */
export const failureOf = (thrown: unknown): Failure => {
  if (isVidError(thrown)) return { message: thrown.message, hint: thrown.hint }
  return { message: thrown instanceof Error ? thrown.message : String(thrown), hint: '' }
}
