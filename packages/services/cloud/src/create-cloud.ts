import { join, resolve } from 'node:path'
import { describeCause } from '@vid/protocol'
import { openReader } from '@vid/reader'
import { type Authenticate, createServer, isLoopback, type Listening, type LogOptions } from '@vid/server'
import { createAuthenticate } from './accounts/authenticate.ts'
import type { Database } from './database/database.ts'
import { sharedSecret } from './database/secrets.ts'
import { createEnds, type Ends } from './ends.ts'
import { countRequests, createCloudMetrics } from './metrics.ts'
import { type CloudSettings, checkCloudSettings } from './options.ts'
import { createIntake } from './projects/intake.ts'
import { openProcessProjects } from './projects/process-projects.ts'
import { createPlayAddress } from './publish/play-address.ts'
import { createPlaySite } from './publish/play-site.ts'
import type { PlayOptions } from './publish/played-project.ts'
import { removeOldRecords } from './remove-old-records.ts'
import type { RenderQueue } from './renders/queue.ts'
import type { SubmitParts } from './renders/submit.ts'
import { removeOldReplies } from './requests/idempotency.ts'
import { limitedAuthenticate, limitPublicRoutes } from './requests/limit-requests.ts'
import { createRateLimits } from './requests/rate-limits.ts'
import { createRequestCounts, removeOldCounts } from './requests/request-counts.ts'
import { createErrorFormat } from './routes/api-errors.ts'
import { addAssetRoutes } from './routes/asset-routes.ts'
import { addFileRoutes } from './routes/file-routes.ts'
import type { CloudParts } from './routes/parts.ts'
import { addRenderRoutes } from './routes/render-routes.ts'
import { cloudSchemas } from './routes/schemas.ts'
import { addMonitoringRoutes } from './routes/status-routes.ts'
import { addStreamRoutes } from './routes/stream-routes.ts'
import { addUploadRoutes } from './routes/upload-routes.ts'
import { addUserRoutes } from './routes/user-routes.ts'
import { createWriteProbe } from './routes/write-probe.ts'
import { openStorage } from './storage/open-storage.ts'
import type { Storage } from './storage/storage.ts'
import { createStreamAddresses } from './streams/stream-address.ts'

/** Options of one process of the hosted API, besides its settings. */
export interface CloudOptions extends Partial<CloudSettings> {
  /** State folder of this process; holds everything if neither the database nor the storage is elsewhere. */
  readonly state: string
  /** Folder of the storage, or an address in the format of `openStorage`; a folder in the state folder if left out. */
  readonly storage?: string | undefined
  /** Whether this process answers requests, renders, or both. */
  readonly role?: 'api' | 'worker' | 'all' | undefined
  /** Absolute folder that relative paths start from; the current folder if left out. */
  readonly cwd?: string | undefined
  /** Address to listen on; 127.0.0.1 if left out. */
  readonly host?: string | undefined
  readonly log?: LogOptions | undefined
}

/** Work that runs beside the API, or without it. */
export interface RunningWork {
  /** Takes no new work, waits up to `drainMs` for unfinished work, and returns the rest to the queue. */
  close(drainMs: number): Promise<void>
  /** The part of the worker that does not work, if this process has one. */
  problem?(): string | undefined
}

/** The parts that other rooms add to the server. */
export interface CloudRooms {
  readonly queue: RenderQueue
  /** Refuses pictures that cannot be rendered; without it, all are accepted. */
  readonly checkPicture?: SubmitParts['checkPicture'] | undefined
  /** Finds the account of a request; by API key if left out. */
  readonly authenticate?: ((database: Database) => Authenticate) | undefined
  /** Starts the work that runs beside the API. */
  readonly startWork?: ((parts: CloudParts) => Promise<RunningWork>) | undefined
  /** Adds routes, such as webhooks, sign-in and pages. */
  readonly addRoutes?: readonly ((parts: CloudParts) => void | Promise<void>)[] | undefined
  /** How published pages play compositions. */
  readonly play?: PlayOptions | undefined
  /** Migrated and closed by the caller. */
  readonly database: Database
}

/** One process of the hosted API. */
export interface Cloud {
  /** The Fastify instance, for a process that mounts the server in its own. */
  readonly app: CloudParts['app']
  readonly database: Database
  readonly storage: Storage
  /** Listens on a port; 0 for any free one. */
  listen(port: number): Promise<Listening>
  /**
   * Takes no new work, waits up to `drainMs` for running work, and releases everything. For `delayMs`, it answers as before,
   * with 503 at /ready.
   */
  close(drainMs?: number, delayMs?: number): Promise<void>
}

const TIDY_MS = 10 * 60_000
/** How long the last replies may take to be sent, in milliseconds. */
const LINGER_MS = 5000

const API = {
  title: 'vid cloud',
  version: '3.0.0',
  description: 'Renders HTML compositions to video: upload a project, render it, download the video.',
  schemas: cloudSchemas,
} as const

const SECURITY = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  bearer: { type: 'http', scheme: 'bearer' },
} as const

/** The settings among the options, without the options of the process. */
const settingsAmong = ({ state: _s, storage: _p, role: _r, cwd: _c, host: _h, log: _l, ...settings }: CloudOptions) =>
  settings

/**
 * Accepted host names: any, if others can reach the address on which the server listens, unless the operator lists
 * some.
 */
const hostsOf = (host: string | undefined, { allowedHosts, publicUrl }: CloudSettings): readonly string[] => {
  const isOpen = host !== undefined && !isLoopback(host) && allowedHosts.length === 0
  return isOpen || publicUrl === undefined ? allowedHosts : [...allowedHosts, new URL(publicUrl).hostname]
}

const openServer = async (
  options: CloudOptions,
  settings: CloudSettings,
  parts: Pick<CloudParts, 'database' | 'rates' | 'publicUrl' | 'cache' | 'play' | 'reader'>,
  rooms: CloudRooms,
  { state, ends }: { readonly state: string; readonly ends: Ends },
) => {
  const authenticate = (rooms.authenticate ?? createAuthenticate)(parts.database)
  const shared = {
    trustedProxies: settings.trustedProxies,
    errors: createErrorFormat(parts.publicUrl, [state]),
    limits: { bodyBytes: settings.bodyBytes, requestTimeoutMs: settings.requestTimeoutMs },
    log: options.log,
  }
  const { database, rates, publicUrl, cache, play: address } = parts
  const played =
    options.role === 'worker'
      ? undefined
      : await createPlaySite({
          address,
          database,
          rates,
          publicUrl,
          cache,
          reader: parts.reader,
          play: rooms.play ?? {},
          server: shared,
        })
  ends.add(async () => played?.close())
  const server = await createServer({
    ...shared,
    api: API,
    host: options.host,
    otherSite: played?.find,
    allowedHosts: hostsOf(options.host, settings),
    allowedOrigins: settings.allowedOrigins,
    authenticate: limitedAuthenticate(authenticate, parts.rates),
    securitySchemes: SECURITY,
  })
  limitPublicRoutes(server.app, parts.rates)
  const { default: multipart } = await import('@fastify/multipart')
  await server.app.register(multipart)
  return server
}

/** Periodically removes old idempotency keys and request counts. */
const tidyRequests = (database: Database, log: CloudParts['app']['log'], ends: Ends): void => {
  const tidying = setInterval(() => {
    Promise.all([removeOldReplies(database), removeOldCounts(database), removeOldRecords(database)]).catch(
      (cause: unknown) => log.warn({ reason: describeCause(cause) }, 'cannot remove old records'),
    )
  }, TIDY_MS)
  tidying.unref()
  ends.add(() => clearInterval(tidying))
}

const openCloud = async (options: CloudOptions, rooms: CloudRooms, ends: Ends): Promise<Cloud> => {
  const settings = checkCloudSettings(settingsAmong(options))
  const { cwd = process.cwd(), role = 'all' } = options
  const state = resolve(cwd, options.state)
  let listening: string | undefined
  const publicUrl = () => settings.publicUrl ?? listening ?? 'http://127.0.0.1'

  const { database } = rooms
  const place = { storage: options.storage, state, cwd, publicUrl }
  const { storage, files } = await openStorage(place, database)
  ends.add(() => storage.close())
  const cache = await openProcessProjects({
    parent: join(state, 'projects'),
    storage,
    maxBytes: settings.projectCacheBytes,
  })
  ends.add(() => cache.close())
  const counts = createRequestCounts(database)
  ends.add(() => counts.close())
  const rates = createRateLimits(counts, settings)
  const intake = createIntake({ database, storage, cache, settings })
  const reader = await openReader()
  ends.add(() => reader.close())
  const metrics = await createCloudMetrics()
  const play = createPlayAddress({ settings, publicUrl })
  const server = await openServer(options, settings, { database, rates, publicUrl, cache, play, reader }, rooms, {
    state,
    ends,
  })
  const { app, stopping } = server
  let work: RunningWork | undefined
  const parts: CloudParts = {
    app,
    stopping,
    database,
    storage,
    state,
    cache,
    intake,
    reader,
    files,
    streams: createStreamAddresses(await sharedSecret(database, 'streams_secret'), publicUrl),
    metrics,
    rates,
    settings,
    publicUrl,
    play,
    queue: rooms.queue,
    checkPicture: rooms.checkPicture ?? (() => {}),
    proveWritable: createWriteProbe({ database, storage, state }),
    workerProblem: () => work?.problem?.(),
  }
  await countRequests(app, metrics)
  addMonitoringRoutes(parts)
  if (role !== 'worker') {
    for (const add of [addAssetRoutes, addUploadRoutes, addRenderRoutes, addUserRoutes, addFileRoutes, addStreamRoutes])
      add(parts)
    for (const add of rooms.addRoutes ?? []) await add(parts)
    tidyRequests(database, app.log, ends)
  }
  work = await rooms.startWork?.(parts)

  const close = async (drainMs: number, delayMs: number) => {
    const ended = work?.close(drainMs)
    await server.drain(Math.max(drainMs, delayMs) + LINGER_MS, { ...(ended && { work: ended }), delayMs })
    await ended
    await ends.run()
  }
  let closing: Promise<void> | undefined
  return {
    app,
    database,
    storage,
    async listen(port) {
      const listener = await server.listen(port)
      listening = listener.url
      return listener
    },
    close: (drainMs = 0, delayMs = 0) => {
      closing ??= close(drainMs, delayMs)
      return closing
    },
  }
}

/** Creates one process of the hosted API; call `listen` to start it, and close it afterwards. */
export const createCloud = async (options: CloudOptions, rooms: CloudRooms): Promise<Cloud> => {
  const ends = createEnds()
  try {
    return await openCloud(options, rooms, ends)
  } catch (thrown) {
    await ends.run()
    throw thrown
  }
}
