import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { contentTypeOf, openAssetSite } from '@vid/assets'
import { type Reading, readHere } from '@vid/kernel'
import { rethrowMachineFault } from '@vid/protocol'
import { failHttp, sendFile as sendPart } from '@vid/server'
import { findProjectFile } from '@vid/system'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createDocuments, type DocumentParts, documentOf, filePolicy, NO_STORE, type SitePlace } from './documents.ts'
import { FONT_PATH, type SiteFonts } from './fonts.ts'
import { OWN_REMOTE_PATH, remoteAddress } from './own-addresses.ts'
import { answerRemote, type SiteFiles } from './remote.ts'
import { type SiteText, siteTextTask } from './site-text.ts'
import { WORKER_PATH, WORKER_SCRIPT } from './worker-script.ts'

/** Where remote files are requested, as the query `url`. */
const REMOTE_PATH = '/.vid/remote'

/** The origin of the compositions of one project: documents that a player plays, and the files that they use. */
export interface ProjectSite {
  /** Answers a GET request, which must be for this host. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** Forgets what depends on files that have changed. */
  renew(): void
}

/** What is sent in place of a file of the project. */
export type StagedContent =
  | { readonly kind: 'text'; readonly bytes: Uint8Array }
  /** A file elsewhere, by its absolute path. */
  | { readonly kind: 'copy'; readonly from: string }

/** What the site of a project is made of. */
export interface ProjectSiteParts extends Pick<DocumentParts, 'prepare' | 'problem' | 'stagedTexts'> {
  /** Where the project's style sheets and scripts are read; in this thread if left out. */
  readonly reading?: Reading
  /** Ends what is read. */
  readonly signal: AbortSignal
  readonly files: SiteFiles
  readonly fonts: SiteFonts
  readonly place: SitePlace
  /** Finds extracted frames of videos, which are not in the project. */
  readonly media?: (path: string) => Promise<string | undefined>
  /** What is staged in place of a file of the project; undefined for what the disk has. */
  readonly staged?: (file: string) => StagedContent | undefined
}

/** A file by its path in an address; encoded separators and the like are left to the server of all other files. */
const fileOf = (path: string): string | undefined =>
  /%(?!20)/.test(path) ? undefined : path.slice(1).replaceAll('%20', ' ')

/** Larger files are sent as they are: they are data rather than somebody's text. */
const MAX_TEXT_BYTES = 2 ** 25

/** Finds a text of the project, as it is staged, for addresses that end in a certain way; undefined for all others. */
const findText = async (
  { files, staged }: Pick<ProjectSiteParts, 'files' | 'staged'>,
  path: string,
  name: RegExp,
): Promise<SiteText['source'] | undefined> => {
  const file = fileOf(path)
  if (file === undefined || !name.test(path)) return undefined
  const stagedFile = staged?.(file)
  if (stagedFile?.kind === 'text') return { text: new TextDecoder().decode(stagedFile.bytes) }
  const realFile = await findProjectFile(files.dir, file).catch(rethrowMachineFault)
  if (realFile === undefined) return undefined
  const { size } = await stat(realFile)
  return size > MAX_TEXT_BYTES ? undefined : { path: realFile }
}

/** The text of the project that is sent in place of that of a file; undefined where the file is sent as it is. */
const textOf = async (parts: ProjectSiteParts, path: string, kind: SiteText['kind']): Promise<string | undefined> => {
  const { reading = readHere, signal, place } = parts
  const { isPublic = false } = place
  if (kind === 'script' && !isPublic) return undefined
  const source = await findText(parts, path, kind === 'css' ? /\.css$/i : /\.m?js$/i)
  return source && reading(siteTextTask, { entry: path, kind, source, isPublic, isOfProject: true }, signal)
}

/** Sends what is staged in place of a file; undefined for one that is not staged. */
const sendStaged = (
  { staged, place }: ProjectSiteParts,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => {
  const file = fileOf(path)
  const stagedFile = file === undefined ? undefined : staged?.(file)
  if (file === undefined || !stagedFile) return undefined
  const type = contentTypeOf(file)
  reply.headers({ ...NO_STORE, 'content-security-policy': filePolicy(request, place) })
  if (stagedFile.kind === 'copy') return sendPart(request, reply, { path: stagedFile.from, type })
  return reply.type(type).send(Buffer.from(stagedFile.bytes))
}

const sendFont = async (path: string | undefined, reply: FastifyReply): Promise<FastifyReply> => {
  if (path === undefined) throw failHttp('VID_HTTP_NOT_FOUND', {})
  // The fonts of one version of vid never change.
  reply.type('font/ttf').headers({ 'cache-control': 'public, max-age=86400' })
  return reply.header('content-length', (await stat(path)).size).send(createReadStream(path))
}

/** Opens the site of a project; it listens nowhere, and has nothing to be closed. */
export const openProjectSite = async (parts: ProjectSiteParts): Promise<ProjectSite> => {
  const { files, fonts, prepare, problem, place, media, stagedTexts, reading = readHere, signal } = parts
  const { dir } = files
  const documents = createDocuments({ dir, prepare, problem, ...(stagedTexts && { stagedTexts }) })
  const assets = await openAssetSite({ root: dir, host: place.host, ...(media && { media }) })

  const sendFile = async (path: string, request: FastifyRequest, reply: FastifyReply) => {
    const sheet = await textOf(parts, path, 'css')
    if (sheet !== undefined) return reply.headers(NO_STORE).type('text/css; charset=utf-8').send(sheet)
    const script = await textOf(parts, path, 'script')
    if (script !== undefined) {
      reply.headers({ ...NO_STORE, 'content-security-policy': filePolicy(request, place) })
      return reply.type('text/javascript; charset=utf-8').send(script)
    }
    const sent = sendStaged(parts, path, request, reply)
    if (sent) return sent
    reply.hijack()
    reply.raw.setHeader('content-security-policy', filePolicy(request, place))
    assets.answer(request.raw, reply.raw)
    return reply
  }
  return {
    async answer(request, reply) {
      const { raw, headers } = request
      const { url = '' } = raw
      const [path = ''] = url.split(/[?#]/, 1)
      if (place.isPublic && path.startsWith(OWN_REMOTE_PATH)) {
        const address = remoteAddress(url)
        if (address === undefined) throw failHttp('VID_HTTP_NOT_FOUND', {})
        // It may be shown in a frame, or run as a worker.
        reply.header('content-security-policy', filePolicy(request, place))
        return answerRemote(address, files, { request, reply, reading, signal, isDirect: true })
      }
      if (path === WORKER_PATH && !place.isPublic)
        return reply
          .headers({ ...NO_STORE, 'service-worker-allowed': '/' })
          .type('text/javascript; charset=utf-8')
          .send(WORKER_SCRIPT)
      // One of the project's own would take the requests from that of the player.
      if (headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker')
        throw failHttp('VID_HTTP_NOT_FOUND', {})
      if (path === REMOTE_PATH && !place.isPublic) {
        const address = new URL(url, `http://${place.host}`).searchParams.get('url')
        if (address === null) throw failHttp('VID_HTTP_NOT_FOUND', {})
        return answerRemote(address, files, { request, reply, reading, signal, isDirect: false })
      }
      if (path.startsWith(FONT_PATH)) return sendFont(fonts.file(path.slice(FONT_PATH.length)), reply)
      const file = documentOf(request)
      return file === undefined ? sendFile(path, request, reply) : documents.send(file, request, reply, place)
    },
    renew: documents.renew,
  }
}
