import { setMaxListeners } from 'node:events'
import { resolve } from 'node:path'
import { findProject } from '@vid/core'
import { writePreviewNote } from '@vid/edit'
import { createServer, type LogOptions } from '@vid/server'
import { fail, previewStatuses } from './errors.ts'
import { listenFrom } from './free-port.ts'
import { openProject } from './open-project.ts'
import { addCommentRoutes } from './routes/comment-routes.ts'
import { addEditRoutes } from './routes/edit-routes.ts'
import { addEventRoutes } from './routes/event-routes.ts'
import { addFindingRoutes } from './routes/finding-routes.ts'
import { addMediaRoutes } from './routes/media-routes.ts'
import { addPageRoutes } from './routes/page-routes.ts'
import type { PreviewParts } from './routes/parts.ts'
import { addProjectRoutes } from './routes/project-routes.ts'
import { addJobRoutes } from './routes/render-routes.ts'
import { addSharedRoutes } from './routes/shared-routes.ts'
import { createSession } from './session.ts'
import { createSite } from './site/site.ts'

/** What a preview is started with. */
export interface PreviewOptions {
  /** Folder of the compositions, from `cwd`. */
  readonly projectDir: string
  /** Absolute; the current folder if left out. */
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Runs the loading of the config, whose code may block this thread. */
  readonly loading?: <T>(load: () => Promise<T>) => Promise<T>
  /** Port of the page; without it, the first free one from 3002 on. */
  readonly port?: number
  /** Bytes of a file that is dropped onto the page; 2 GiB if left out. */
  readonly maxUploadBytes?: number
  readonly log?: LogOptions
}

/** A running preview, to be closed. */
export interface Preview {
  /** Address of the page with its token, for the person who started it. */
  readonly url: string
  readonly port: number
  /** Origin of the compositions. */
  readonly origin: string
  /** Ends renders and connections, and leaves nothing behind. */
  close(): Promise<void>
}

/** The first port that is tried; the compositions get the next one that is free. */
const FIRST_PORT = 3002

const MAX_UPLOAD_BYTES = 2 * 1024 ** 3

const VERSION = '0.1.0'

const HOST = '127.0.0.1'

const ROUTES = [
  addProjectRoutes,
  addJobRoutes,
  addFindingRoutes,
  addMediaRoutes,
  addEditRoutes,
  addCommentRoutes,
  addSharedRoutes,
  addEventRoutes,
]

type Ends = (end: () => Promise<void>) => void

const openPreview = async (
  {
    cwd,
    env,
    loading,
    port: wantedPort,
    maxUploadBytes = MAX_UPLOAD_BYTES,
    log,
  }: PreviewOptions & Required<Pick<PreviewOptions, 'cwd' | 'env'>>,
  dir: string,
  signal: AbortSignal,
  atEnd: Ends,
): Promise<Omit<Preview, 'close'>> => {
  let origin = ''
  let port = 0
  const session = createSession()
  const { parts, beforeChange } = await openProject({
    dir,
    cwd,
    env,
    loading,
    version: VERSION,
    signal,
    atEnd,
    origin: () => origin,
  })
  const { compositions } = await parts.compositions()
  if (compositions.length === 0) throw fail('VID_PREVIEW_EMPTY', { dir })
  const { files, settings } = parts
  // The user sees a wrong config before the page does, and the first picture does not wait for it.
  await settings()
  const site = await createSite({ files, settings, edits: parts.edits, scratch: parts.scratch, signal })
  beforeChange(site.renew)
  atEnd(async () => {
    await site.renew()
    await site.server.close()
  })
  const server = await createServer({
    api: { title: 'vid preview', version: VERSION },
    host: HOST,
    authenticate: async (request) => session.owner(request, port),
    errors: { statuses: previewStatuses, describe: ({ message, hint }) => ({ message, hint }) },
    log: log ?? { level: 'silent' },
  })
  atEnd(() => server.close())
  const allParts: PreviewParts = { ...parts, app: server.app, origin: () => origin, maxUploadBytes }
  for (const add of ROUTES) add(allParts)
  addPageRoutes(allParts, session, () => port)
  const pageAddress = wantedPort === undefined ? listenFrom(FIRST_PORT, server.listen) : server.listen(wantedPort)
  port = (await pageAddress).port
  const siteAddress = await listenFrom(port + 1, site.server.listen)
  origin = `http://localhost:${siteAddress.port}`
  const page = `http://${HOST}:${port}`
  await site.opened({ port: siteAddress.port, pageOrigin: page })
  // A project that cannot be written can still be seen; commands then find no preview of it.
  const removeNote = await writePreviewNote(dir, { port, token: session.sharedToken }).catch(() => undefined)
  if (removeNote) atEnd(removeNote)
  return { url: `${page}/?token=${session.token}`, port, origin }
}

/** Starts a preview; resolves once it can be opened. */
export const createPreview = async (options: PreviewOptions): Promise<Preview> => {
  const { cwd = process.cwd(), env = process.env } = options
  const dir = await findProject(resolve(cwd, options.projectDir))
  const stop = new AbortController()
  // Each source, connection and render adds a listener.
  setMaxListeners(0, stop.signal)
  const ends: (() => Promise<void>)[] = []
  let closing: Promise<void> | undefined
  const end = async () => {
    stop.abort(new Error('the preview was closed'))
    for (const end of ends.reverse()) await end()
  }
  const close = () => {
    closing ??= end()
    return closing
  }
  try {
    const preview = await openPreview({ ...options, cwd, env }, dir, stop.signal, (end) => ends.push(end))
    return { ...preview, close }
  } catch (thrown) {
    await close()
    throw thrown
  }
}
