import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { describeCause, failRender, isMachineFault, isVidError, type VidError } from '@vid/protocol'
import { workerScript } from '@vid/runtime'
import { parseByteRange } from '@vid/system'
import { resolveAssetPath } from '../asset-path.ts'
import { assetError } from '../errors.ts'
import type { FileState } from '../inputs/file-digest.ts'
import type { InputLog } from '../inputs/input-log.ts'
import { contentTypeOf } from './content-type.ts'

/** One project folder under its own origin. It listens nowhere: the egress proxy of a browser or a server asks it. */
export interface AssetSite {
  /** Such as `http://0f3c….localhost`, without a trailing slash; it is unguessable. */
  readonly origin: string
  /** Answers a request whose address starts with a slash. */
  answer(request: IncomingMessage, response: ServerResponse): void
  /** Requests whose answers have not ended. */
  answering(): number
}

/** Path of extracted frames and packets; no project file can be there, since hidden folders are not served. */
export const MEDIA_PATH = '/.vid/media/'

/** Finds the absolute path of a file by its path below MEDIA_PATH; undefined without one. */
type FindFile = (path: string) => Promise<string | undefined>

interface Site {
  readonly root: string
  readonly host: string
  readonly texts: ReadonlyMap<string, string> | undefined
  readonly media: FindFile | undefined
  readonly inputs: InputLog | undefined
}

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The address is malformed.',
  403: 'The file is hidden or outside the project.',
  404: 'There is no such file in the project.',
  405: 'Only GET and HEAD are served.',
  416: 'The range is outside the file.',
  421: 'This server answers to another host name.',
}

/** Opening a FIFO must not block, and a link that appeared after the check must not be followed. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const HEADERS = { 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' }

const refuse = (response: ServerResponse, status: number, extra: Record<string, string> = {}): void => {
  response.writeHead(status, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8', ...extra })
  response.end(REFUSALS[status])
}

const sendFile = async (
  file: string,
  request: IncomingMessage,
  response: ServerResponse,
  onOpen: (state: FileState) => void = () => {},
): Promise<void> => {
  await using handle = await open(file, OPEN_FLAGS)
  const facts = await handle.stat()
  if (!facts.isFile()) return refuse(response, 404)
  onOpen(facts)
  const range = parseByteRange(request.headers.range, facts.size)
  if (range === 'unsatisfiable') return refuse(response, 416, { 'content-range': `bytes */${facts.size}` })
  const { start, end } = range ?? { start: 0, end: facts.size - 1 }
  response.writeHead(range === undefined ? 200 : 206, {
    ...HEADERS,
    'accept-ranges': 'bytes',
    'content-type': contentTypeOf(file),
    'content-length': end - start + 1,
    ...(range && { 'content-range': `bytes ${start}-${end}/${facts.size}` }),
  })
  if (request.method === 'HEAD' || end < start) {
    response.end()
    return
  }
  await pipeline(handle.createReadStream({ start, end, autoClose: false }), response)
}

const sendText = (text: string, file: string, request: IncomingMessage, response: ServerResponse): void => {
  const body = Buffer.from(text)
  response.writeHead(200, {
    ...HEADERS,
    'content-type': contentTypeOf(file),
    'content-length': body.byteLength,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Sends a file; looks it up once more if it was renamed in the meantime. */
const sendFound = async (find: FindFile, path: string, request: IncomingMessage, response: ServerResponse) => {
  for (let tries = 2; tries > 0; tries -= 1) {
    const file = await find(path)
    if (file === undefined) break
    const isSent = await sendFile(file, request, response).then(
      () => true,
      (cause: NodeJS.ErrnoException) => {
        if (cause.code !== 'ENOENT') throw cause
        return false
      },
    )
    if (isSent) return
  }
  refuse(response, 404)
}

const answer = async (site: Site, request: IncomingMessage, response: ServerResponse) => {
  const { root, host, texts, media, inputs } = site
  if (request.headers.host !== host) return refuse(response, 421)
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, { allow: 'GET, HEAD' })
  const { url = '' } = request
  if (media && url.startsWith(MEDIA_PATH)) return sendFound(media, url.slice(MEDIA_PATH.length), request, response)
  const resolution = await resolveAssetPath(root, url)
  if ('status' in resolution) {
    // A malformed address cannot name a file that appears later.
    if (resolution.status !== 400) inputs?.read(decodeURIComponent(url.slice(1).split(/[?#]/, 1)[0] ?? ''), null)
    return refuse(response, resolution.status)
  }
  const { file, path } = resolution
  const text = texts?.get(path)
  if (text !== undefined) return sendText(text, path, request, response)
  if (request.headers['sec-fetch-dest'] === 'worker') {
    // A worker's script starts with code that puts it on the page's clock.
    await using handle = await open(file, OPEN_FLAGS)
    const facts = await handle.stat()
    if (!facts.isFile()) return refuse(response, 404)
    inputs?.served(path, file, facts)
    return sendText(workerScript(await handle.readFile('utf8')), path, request, response)
  }
  let isOpen = false
  const onOpen = (state: FileState) => {
    isOpen = true
    inputs?.served(path, file, state)
  }
  await sendFile(file, request, response, onOpen).finally(() => isOpen || inputs?.read(path, null))
}

/** The error of a request that this machine cannot answer. */
const unreadable = ({ url = '' }: IncomingMessage, cause: unknown): VidError =>
  isVidError(cause)
    ? cause
    : failRender('VID_MACHINE_LACKS', { doing: `reading ${url}`, reason: describeCause(cause) }, { cause })

/** Opens a project folder as a site, under a host name that other pages cannot guess unless one is given. */
export const openAssetSite = async (options: {
  readonly root: string
  /** Name and port that the site answers to, where a server listens for it. */
  readonly host?: string
  /** Texts that are served in place of project files, by path relative to the project. */
  readonly texts?: ReadonlyMap<string, string>
  /** Finds extracted frames and packets, which are not in the project. */
  readonly media?: FindFile
  /** Records every project file that is requested. */
  readonly inputs?: InputLog
  /** Called when a file cannot be read because of the machine: the page would take it for missing. */
  readonly onMachineFault?: (error: VidError) => void
}): Promise<AssetSite> => {
  const { texts, media, inputs } = options
  const root = await realpath(options.root).catch((cause) => {
    const facts = { path: options.root, reason: describeCause(cause) }
    throw assetError('VID_ASSET_ROOT_MISSING', facts, { cause })
  })
  const { host = `${randomBytes(16).toString('hex')}.localhost` } = options
  let answering = 0
  return {
    origin: `http://${host}`,
    answering: () => answering,
    answer(request, response) {
      answering += 1
      response.once('close', () => {
        answering -= 1
      })
      answer({ root, host, texts, media, inputs }, request, response).catch((cause: unknown) => {
        if (isMachineFault(cause)) options.onMachineFault?.(unreadable(request, cause))
        // The file was removed, or the page stopped reading; the page reports a failed request.
        if (response.headersSent) response.destroy()
        else refuse(response, 404)
      })
    },
  }
}
