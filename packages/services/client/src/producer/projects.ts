import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { type ProjectManifest, readManifest } from '@vid/project'
import { isVidError } from '@vid/protocol'
import { ProducerProjectSchema } from '../contract/index.ts'
import { withProjectZip } from '../http/project-zip.ts'
import { parseReply, readText } from '../http/replies.ts'
import { withRetries } from '../http/retries.ts'
import { createStallWatch, fileBytes } from '../http/sending.ts'
import type { ProducerConnection } from './connection.ts'

/** A project to upload: a folder, or a zip of one. */
export type ProjectSource =
  | {
      readonly folder: string
      /** Computed from the folder if left out. */
      readonly manifest?: ProjectManifest
      /** Folder for the zip during the upload; a temporary one if left out. */
      readonly workDir?: string
    }
  | { readonly manifest: Pick<ProjectManifest, 'digest'>; readonly zip: string }

/** Whether the server has a project. */
export const hasProject = (connection: ProducerConnection, digest: string, signal: AbortSignal): Promise<boolean> =>
  withRetries(connection, signal, async () => {
    try {
      const reply = await connection.send({ method: 'HEAD', path: `/projects/${digest}`, signal })
      reply.drop()
      return true
    } catch (thrown) {
      if (isVidError(thrown) && thrown.facts.status === 404) return false
      // The reply to HEAD has no body with a reason.
      if (isVidError(thrown) && thrown.facts.status !== undefined)
        (await connection.send({ method: 'GET', path: '/render/queue', signal })).drop()
      throw thrown
    }
  })

const sendZip = async (
  connection: ProducerConnection,
  digest: string,
  zip: string,
  outer: AbortSignal,
): Promise<void> => {
  const { url, limits, errors } = connection
  const { size } = await stat(zip)
  const watch = createStallWatch(outer, () => errors.fail('CUT', { url, reason: 'it stopped accepting data' }))
  const chunks = async function* () {
    watch.touch(limits.idleMs)
    yield* fileBytes(zip, () => watch.touch(limits.idleMs))
    watch.touch(limits.unpackMs)
  }
  try {
    const reply = await connection.send({
      method: 'PUT',
      path: `/projects/${digest}`,
      signal: watch.signal,
      replyMs: 0,
      body: () => Readable.from(chunks(), { objectMode: false }),
      headers: { 'content-type': 'application/zip', 'content-length': String(size) },
    })
    parseReply(ProducerProjectSchema, await readText(reply.body, connection), connection)
  } finally {
    watch.end()
  }
}

/** Uploads a project unless the server has it; resolves to the digest that identifies it in requests. */
export const sendProject = async (
  connection: ProducerConnection,
  source: ProjectSource,
  signal: AbortSignal,
): Promise<string> => {
  const manifest = 'zip' in source ? undefined : (source.manifest ?? (await readManifest(source.folder, { signal })))
  const digest = 'zip' in source ? source.manifest.digest : (manifest?.digest ?? '')
  if (await hasProject(connection, digest, signal)) return digest
  let isTried = false
  const send = (zip: string) =>
    withRetries(connection, signal, async () => {
      // An earlier attempt may have arrived without its reply.
      if (isTried && (await hasProject(connection, digest, signal))) return
      isTried = true
      await sendZip(connection, digest, zip, signal)
    })
  if ('zip' in source) await send(source.zip)
  else if (manifest) await withProjectZip({ ...source, manifest }, signal, send)
  return digest
}
