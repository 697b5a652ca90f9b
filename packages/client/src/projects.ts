import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { isVidError, ProducerProjectSchema } from '@vid/kernel'
import { type Manifest, readManifest, writeProjectZip } from '@vid/project'
import { fail } from './errors.ts'
import type { Connection } from './exchange.ts'
import { withPatience } from './patience.ts'
import { parseReply, readText } from './replies.ts'

/** A project to send: a folder, or a zip that was made of one. */
export type ProjectSource =
  | {
      readonly folder: string
      /** Read from the folder if left out. */
      readonly manifest?: Manifest
      /** Folder for the zip while it is sent; a temporary one if left out. */
      readonly workDir?: string
    }
  | { readonly manifest: Pick<Manifest, 'digest'>; readonly zip: string }

/** Whether the server has a project. */
export const hasProject = (connection: Connection, digest: string, signal: AbortSignal): Promise<boolean> =>
  withPatience(connection, signal, async () => {
    try {
      const reply = await connection.send({ method: 'HEAD', path: `/projects/${digest}`, signal })
      reply.drop()
      return true
    } catch (thrown) {
      if (isVidError(thrown) && thrown.facts.status === 404) return false
      // The answer to HEAD has no body that says why.
      if (isVidError(thrown) && thrown.facts.status !== undefined)
        (await connection.send({ method: 'GET', path: '/render/queue', signal })).drop()
      throw thrown
    }
  })

/** A signal that aborts when a file is not taken for a while; `touch` starts that while anew. */
const createWatch = (outer: AbortSignal, stalled: () => unknown) => {
  const watch = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const signal = AbortSignal.any([outer, watch.signal])
  return {
    signal,
    touch(ms: number) {
      clearTimeout(timer)
      timer = setTimeout(() => watch.abort(stalled()), ms)
    },
    end: () => clearTimeout(timer),
  }
}

const sendZip = async (
  connection: Connection,
  digest: string,
  zip: string,
  outer: AbortSignal,
): Promise<void> => {
  const { url, limits } = connection
  const { size } = await stat(zip)
  const watch = createWatch(outer, () => fail('VID_PRODUCER_CUT', { url, reason: 'it takes no more bytes' }))
  const chunks = async function* () {
    watch.touch(limits.idleMs)
    for await (const chunk of createReadStream(zip, { highWaterMark: 2 ** 18 }) as AsyncIterable<Buffer>) {
      yield chunk
      watch.touch(limits.idleMs)
    }
    watch.touch(limits.unpackMs)
  }
  try {
    const reply = await connection.send({
      ...{
        method: 'PUT',
        path: `/projects/${digest}`,
        body: Readable.from(chunks(), { objectMode: false }),
        signal: watch.signal,
        replyMs: 0,
      },
      headers: { 'content-type': 'application/zip', 'content-length': String(size) },
    })
    parseReply(ProducerProjectSchema, await readText(reply.body, url), url)
  } finally {
    watch.end()
  }
}

/** Runs with a zip of a source, which is removed afterwards unless it was given. */
const withZip = async <T>(
  source: ProjectSource,
  manifest: Pick<Manifest, 'digest'>,
  signal: AbortSignal,
  work: (zip: string) => Promise<T>,
): Promise<T> => {
  if ('zip' in source) return work(source.zip)
  const made = source.workDir === undefined ? await mkdtemp(join(tmpdir(), 'vid-client-')) : undefined
  const zip = join(made ?? source.workDir ?? '', `project-${randomUUID()}.zip`)
  try {
    await writeProjectZip(source.folder, manifest as Manifest, zip, { signal })
    return await work(zip)
  } finally {
    await rm(made ?? zip, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Sends a project unless the server has it; resolves to its digest, by which requests name it. */
export const sendProject = async (
  connection: Connection,
  source: ProjectSource,
  signal: AbortSignal,
): Promise<string> => {
  const manifest =
    'zip' in source ? source.manifest : (source.manifest ?? (await readManifest(source.folder, { signal })))
  const { digest } = manifest
  if (await hasProject(connection, digest, signal)) return digest
  let isTried = false
  await withZip(source, manifest, signal, (zip) =>
    withPatience(connection, signal, async () => {
      // An earlier try may have arrived without its reply.
      if (isTried && (await hasProject(connection, digest, signal))) return
      isTried = true
      await sendZip(connection, digest, zip, signal)
    }),
  )
  return digest
}
