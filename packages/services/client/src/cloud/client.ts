import { randomUUID } from 'node:crypto'
import { type ProjectManifest, readManifest } from '@vid/project'
import { schemaProblems, Type, Value } from '@vid/protocol'
import {
  type CloudAsset,
  type CloudPage,
  CloudPageSchema,
  type CloudPublication,
  CloudPublicationSchema,
  type CloudPublish,
  type CloudRecord,
  CloudRecordSchema,
  type CloudRenderInput,
  CloudRenderSchema,
  CloudReplySchema,
  type CloudSubmitted,
  CloudSubmittedSchema,
  type CloudUser,
  CloudUserSchema,
  IdempotencyKeySchema,
} from '../contract/index.ts'
import { fail } from '../errors.ts'
import { withProjectZip, type ZipSource } from '../http/project-zip.ts'
import { askAgain, type CloudConnection, connectCloud, jsonBody } from './connection.ts'
import { deleteResource } from './deletions.ts'
import { type DownloadCall, downloadVideo } from './downloads.ts'
import { type WaitOptions, waitForRender } from './following.ts'
import type { CloudClientOptions } from './options.ts'
import { downloadPoster, type PosterFormat } from './posters.ts'
import { type UploadRules, uploadZip, type ZipFile } from './uploads.ts'

/** Options of every call. */
export interface CloudCall {
  readonly signal?: AbortSignal | undefined
}

/** Options of a call that creates something. */
export interface KeyedCall extends CloudCall {
  /** Identifies repeated calls as the same work; if left out, a new key that all attempts of the call share. */
  readonly idempotencyKey?: string | undefined
}

/** A project to upload: a folder, or a zip of one. */
export type CloudProjectSource =
  | (Omit<ZipSource, 'manifest'> & { readonly manifest?: ProjectManifest | undefined })
  | { readonly zip: ZipFile }

/** A client of the hosted API; a call that the server refuses rejects with the server's error code. */
export interface CloudClient {
  /** Address of the API. */
  readonly url: string
  /** Uploads a project, in parts if it is large. */
  upload(source: CloudProjectSource, call?: KeyedCall & Pick<UploadRules, 'onProgress'>): Promise<CloudAsset>
  submit(render: CloudRenderInput, call?: KeyedCall): Promise<CloudSubmitted>
  /** Reads the record of a render, with newly signed addresses. */
  get(renderId: string, call?: CloudCall): Promise<CloudRecord>
  /** Lists one page of the account's renders, latest first. */
  list(
    page?: { readonly limit?: number | undefined; readonly token?: string | undefined },
    call?: CloudCall,
  ): Promise<CloudPage>
  /** Deletes a render, and stops it if it is running. */
  delete(renderId: string, call?: CloudCall): Promise<void>
  /** Waits until a render has completed or failed. */
  waitForRender(renderId: string, options?: WaitOptions): Promise<CloudRecord>
  /** Downloads the video of a completed render to a path, where its file or folder appears once it is complete. */
  download(render: CloudRecord, path: string, call?: DownloadCall): Promise<void>
  /** Downloads the poster of a completed render to the path for its format, and resolves to that path. */
  downloadPoster(
    render: CloudRecord,
    pathFor: (format: PosterFormat) => string | Promise<string>,
    call?: CloudCall,
  ): Promise<string>
  /** Creates a page that shows a render. */
  publish(
    publication: Pick<CloudPublish, 'render_id'> & Partial<CloudPublish>,
    call?: CloudCall,
  ): Promise<CloudPublication>
  publications(call?: CloudCall): Promise<readonly CloudPublication[]>
  unpublish(publicationId: string, call?: CloudCall): Promise<void>
  /** Reads the account of the credential, with this month's usage. */
  me(call?: CloudCall): Promise<CloudUser>
  /** Closes every connection. */
  close(): Promise<void>
}

const replies = {
  submitted: CloudReplySchema(CloudSubmittedSchema),
  record: CloudReplySchema(CloudRecordSchema),
  publication: CloudReplySchema(CloudPublicationSchema),
  publications: Type.Object({ data: Type.Array(CloudPublicationSchema) }),
  user: CloudReplySchema(CloudUserSchema),
}

const signalOf = ({ signal }: CloudCall = {}): AbortSignal => signal ?? new AbortController().signal

const checkKey = (key: string): string => {
  const problems = schemaProblems(IdempotencyKeySchema, key)
  if (problems.length === 0) return key
  throw fail('VID_API_REQUEST', { problems: problems.map((problem) => `the idempotency key ${problem}`) })
}

/** Refuses an invalid render before anything is sent. */
const checkRender = (render: CloudRenderInput): void => {
  const body = Value.Default(CloudRenderSchema, Value.Clone(render)) as typeof render
  const problems = schemaProblems(CloudRenderSchema, body)
  if (body.resolution === '4k' && body.format !== 'mp4')
    problems.push(`resolution 4k needs the format mp4, since there is no alpha at 4k; got ${body.format}`)
  if (body.ladder !== undefined && body.format !== 'hls')
    problems.push(`a ladder needs the format hls; got ${body.format}`)
  if (problems.length > 0) throw fail('VID_API_REQUEST', { problems })
}

const publicationCalls = (
  connection: CloudConnection,
): Pick<CloudClient, 'publish' | 'publications' | 'unpublish'> => ({
  async publish(publication, call) {
    const { data } = await askAgain<{ data: CloudPublication }>(connection, replies.publication, {
      method: 'POST',
      path: '/v3/vid/publications',
      signal: signalOf(call),
      ...jsonBody(publication),
    })
    return data
  },
  async publications(call) {
    const path = '/v3/vid/publications'
    const request = { method: 'GET', path, signal: signalOf(call) } as const
    return (await askAgain<{ data: readonly CloudPublication[] }>(connection, replies.publications, request)).data
  },
  unpublish: (id, call) => deleteResource(connection, `/v3/vid/publications/${encodeURIComponent(id)}`, signalOf(call)),
})

/** Creates a client; it connects on first use, and must be closed. */
export const createCloudClient = (options: CloudClientOptions): CloudClient => {
  const connection = connectCloud(options)
  const keyOf = ({ idempotencyKey = randomUUID() }: KeyedCall = {}) => checkKey(idempotencyKey)
  const recordPath = (renderId: string) => `/v3/vid/renders/${encodeURIComponent(renderId)}`
  return {
    url: connection.url,
    async upload(source, call = {}) {
      const { onProgress } = call
      const signal = signalOf(call)
      const rules = { idempotencyKey: keyOf(call), signal, ...(onProgress && { onProgress }) }
      if ('zip' in source) return uploadZip(connection, source.zip, rules)
      const manifest = source.manifest ?? (await readManifest(source.folder, { signal }))
      return withProjectZip({ ...source, manifest }, signal, (path, facts) =>
        uploadZip(connection, { path, ...facts }, rules),
      )
    },
    async submit(render, call) {
      checkRender(render)
      const { data } = await askAgain<{ data: CloudSubmitted }>(connection, replies.submitted, {
        method: 'POST',
        path: '/v3/vid/renders',
        signal: signalOf(call),
        ...jsonBody(render, { 'idempotency-key': keyOf(call) }),
      })
      return data
    },
    async get(renderId, call) {
      const { data } = await askAgain<{ data: CloudRecord }>(connection, replies.record, {
        method: 'GET',
        path: recordPath(renderId),
        signal: signalOf(call),
      })
      return data
    },
    list({ limit, token } = {}, call) {
      const query = new URLSearchParams()
      if (limit !== undefined) query.set('limit', String(limit))
      if (token !== undefined) query.set('token', token)
      const path = `/v3/vid/renders${query.size > 0 ? `?${query}` : ''}`
      return askAgain<CloudPage>(connection, CloudPageSchema, { method: 'GET', path, signal: signalOf(call) })
    },
    delete: (renderId, call) => deleteResource(connection, recordPath(renderId), signalOf(call)),
    waitForRender: (renderId, wait) => waitForRender(connection, renderId, wait),
    download: (record, path, call) => downloadVideo(connection, record, path, call),
    downloadPoster: (record, pathFor, call) => downloadPoster(connection, record, pathFor, call),
    ...publicationCalls(connection),
    async me(call) {
      const request = { method: 'GET', path: '/v3/users/me', signal: signalOf(call) } as const
      return (await askAgain<{ data: CloudUser }>(connection, replies.user, request)).data
    },
    close: connection.close,
  }
}
