import { createInputLog, createLibraryAnswer, type RemoteAssets } from '@vid/assets'
import type { Reading } from '@vid/kernel'
import { isMachineFault, isVidError } from '@vid/protocol'
import { parseByteRange } from '@vid/system'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NO_STORE } from './documents.ts'
import { ownAddress } from './own-addresses.ts'
import { siteTextTask } from './site-text.ts'

/** The files of a project, and remote ones as a render of it may fetch them. */
export interface SiteFiles {
  /** Absolute folder of the project. */
  readonly dir: string
  remote(): Promise<RemoteAssets>
}

/** Header that carries an address which the page is sent on to: a reply of the same origin cannot redirect to another. */
const REDIRECT = 'x-vid-redirect'

/** Names a library address that was answered with another version, and the like: lint reports it. */
const quiet = () => {}

/** A request for an address of another origin, and where texts are read for its answer. */
interface RemoteAnswer {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly reading: Reading
  readonly signal: AbortSignal
  /** Whether the page asks this origin itself, without a service worker between them. */
  readonly isDirect: boolean
}

/** The text of a style sheet or script that refers to other origins, or to its own root; undefined for any other. */
const ownText = async (
  { contentType, body }: { readonly contentType: string; readonly body: Buffer },
  url: string,
  { reading, signal }: Pick<RemoteAnswer, 'reading' | 'signal'>,
): Promise<string | undefined> => {
  const kind = /^text\/css\b/i.test(contentType) ? 'css' : /javascript/i.test(contentType) ? 'script' : undefined
  if (kind === undefined) return undefined
  const source = { text: body.toString('utf8') }
  return reading(siteTextTask, { entry: url, kind, source, isPublic: true, isOfProject: false, base: url }, signal)
}

/** Answers the address of another origin as a render answers it: libraries and fonts, then the cache and the network. */
export const answerRemote = async (
  url: string,
  files: SiteFiles,
  { request, reply, reading, signal, isDirect }: RemoteAnswer,
): Promise<FastifyReply> => {
  reply.headers(NO_STORE)
  const answerLibrary = createLibraryAnswer({ projectDir: files.dir, inputs: createInputLog(), warn: quiet })
  try {
    const library = await answerLibrary(url)
    if (library && 'redirect' in library && isDirect)
      return reply.redirect(ownAddress(new URL(library.redirect, url).href), 302)
    if (library && 'redirect' in library)
      return reply.header(REDIRECT, new URL(library.redirect, url).href).code(204).send()
    const asset = library?.asset ?? (await (await files.remote()).get(url))
    const text = isDirect ? await ownText(asset, url, { reading, signal }) : undefined
    if (text !== undefined) return reply.type(asset.contentType).send(text)
    const range = parseByteRange(request.headers.range, asset.body.length)
    if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${asset.body.length}`).send()
    const { start, end } = range ?? { start: 0, end: asset.body.length - 1 }
    if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${asset.body.length}`)
    return reply
      .type(asset.contentType)
      .header('accept-ranges', 'bytes')
      .send(asset.body.subarray(start, end + 1))
  } catch (thrown) {
    if (!isVidError(thrown) || isMachineFault(thrown)) throw thrown
    // The page sees an address that does not answer, as it does in a render.
    return reply.code(502).type('text/plain; charset=utf-8').send(thrown.message)
  }
}
