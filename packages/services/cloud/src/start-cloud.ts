import { join, resolve } from 'node:path'
import type { RenderRequest } from '@vid/protocol'
import { createRenderer } from '@vid/render'
import { backOff, retry } from '@vid/system'
import { createFirstAccount, type FirstAccount } from './accounts/first-account.ts'
import type { AdminParts } from './admin/admin-functions.ts'
import { serveAdmin } from './admin/admin-socket.ts'
import { type Cloud, type CloudOptions, type CloudRooms, createCloud } from './create-cloud.ts'
import { isDatabaseAway } from './database/database.ts'
import { openDatabase } from './database/open-database.ts'
import { createEnds, type Ends } from './ends.ts'
import { addOAuth } from './oauth/add-oauth.ts'
import type { Upstream } from './oauth/upstream.ts'
import { addPublicationRoutes } from './publish/publication-routes.ts'
import { openQueue, type Queue } from './queue/queue.ts'
import { resultAddresses } from './renders/result-addresses.ts'
import type { CloudParts } from './routes/parts.ts'
import type { SweepSettings } from './sweep/settings.ts'
import { startSweeper } from './sweep/sweep.ts'
import { version } from './version.ts'
import { queueWebhook } from './webhooks/queue-webhook.ts'
import { startWebhookSender } from './webhooks/webhook-sender.ts'
import { addWorkMetrics } from './worker/metrics.ts'
import { type WorkParts, workerDefaults } from './worker/parts.ts'
import { chooseSize } from './worker/size.ts'
import { startSupervisor } from './worker/supervisor.ts'
import { startWorker } from './worker/worker.ts'

/** How a process of the hosted API renders. */
export interface RenderingOptions {
  /** Number of concurrent renders; 2 if left out. */
  readonly maxConcurrentRenders?: number | undefined
  /** Number of segments above which a render is distributed to all workers. */
  readonly spreadSegments?: number | undefined
  /** Longest time of a render, or of a part of a distributed one. */
  readonly renderTimeoutMs?: number | undefined
  /** Network access of pages; `declared` if left out. */
  readonly network?: RenderRequest['network'] | undefined
  /** Memory limit for all renders of the process together. */
  readonly memoryBytes?: number | undefined
  readonly target?: string | undefined
  readonly preset?: string | undefined
  readonly env?: NodeJS.ProcessEnv | undefined
}

/** Options of a process of the hosted API. */
export interface StartOptions {
  readonly api: CloudOptions
  /** Address of a Postgres server; the embedded database in the state folder if left out. */
  readonly databaseUrl?: string | undefined
  /** Most connections of this process to that server. */
  readonly databaseConnections?: number | undefined
  readonly rendering?: RenderingOptions | undefined
  /** How long unused data is kept. */
  readonly sweep?: Partial<SweepSettings> | undefined
  /** The operator's OpenID provider, which signs people in. */
  readonly upstream?: Upstream | undefined
  /** Has the start wait for a Postgres server that is away; without it, the start fails. */
  readonly waiting?: Waiting | undefined
}

/** How long a start waits for the database. */
export interface Waiting {
  /** Ends the wait; its reason is thrown then. */
  readonly signal: AbortSignal
  /** Called when the wait begins, with the reason. */
  onWait(reason: unknown): void
}

/** A running process of the hosted API. */
export interface StartedCloud extends Cloud {
  /** The account that was created because there was none. */
  readonly first: FirstAccount | undefined
}

/** Starts the rendering of this process. */
const startRendering = async (
  { api, rendering = {} }: StartOptions,
  work: WorkParts,
  { cache, reader }: Pick<CloudParts, 'cache' | 'reader'>,
) => {
  const { cwd = process.cwd(), state } = api
  const { env = process.env, maxConcurrentRenders = 2, network = 'declared', preset, target } = rendering
  const renderer = await createRenderer({
    cwd,
    env,
    configFrom: 'cwd',
    maxNetwork: network,
    isolated: true,
    concurrency: maxConcurrentRenders,
    reading: reader.reading,
    ...(rendering.memoryBytes !== undefined && { memoryBytes: rendering.memoryBytes }),
  })
  const worker = await startWorker({
    ...work,
    renderer,
    reader,
    projects: cache,
    version,
    render: { ...(preset !== undefined && { preset }), ...(target !== undefined && { target }) },
    slots: maxConcurrentRenders,
    workDir: join(resolve(cwd, state), 'work'),
    spreadSegments: rendering.spreadSegments ?? workerDefaults.spreadSegments,
    timeoutMs: rendering.renderTimeoutMs ?? workerDefaults.timeoutMs,
  }).catch(async (thrown: unknown) => {
    await renderer.close()
    throw thrown
  })
  return {
    problem: worker.problem,
    async close(drainMs: number) {
      await worker.close(drainMs)
      await renderer.close()
    },
  }
}

/** Starts the work beside the API: supervision, webhooks, sweeps and rendering. */
const startWork = async (options: StartOptions, parts: CloudParts, queue: Queue) => {
  const { app, database, storage, streams, settings, metrics } = parts
  const work: WorkParts = {
    database,
    queue,
    storage,
    log: app.log,
    onEnded: (sql, { id }) => queueWebhook(sql, id),
  }
  await addWorkMetrics(metrics.registry, work)
  const ends = createEnds()
  try {
    const supervisor = await startSupervisor(work)
    ends.add(() => supervisor.close())
    const sweeper = startSweeper(work, options.sweep)
    ends.add(() => sweeper.close())
    const sender = startWebhookSender({
      database,
      addressesOf: (render) => resultAddresses(render, { storage, streams, ttlMs: settings.addressTtlMs }),
      allowPrivate: settings.allowPrivateAddresses,
      onProblem: (thrown) => app.log.warn({ err: thrown }, 'webhooks cannot be sent'),
    })
    ends.add(() => sender.close())
    const { role = 'all' } = options.api
    const rendering = role === 'api' ? undefined : await startRendering(options, work, parts)
    return {
      work,
      problem: () => rendering?.problem(),
      async close(drainMs: number) {
        await rendering?.close(drainMs)
        await ends.run()
      },
    }
  } catch (thrown) {
    await ends.run()
    throw thrown
  }
}

/** Adds the routes beside those of renders. */
export const addRoutes = (upstream: Upstream | undefined): CloudRooms['addRoutes'] => [
  ({ app, database, publicUrl }) => addOAuth({ app, database, publicUrl, upstream }),
  ({ app, database, storage, streams, settings, publicUrl, play }) =>
    addPublicationRoutes({
      app,
      database,
      publicUrl,
      play,
      addressesOf: (render) => resultAddresses(render, { storage, streams, ttlMs: settings.addressTtlMs }),
    }),
]

const start = async (options: StartOptions, state: string, ends: Ends): Promise<StartedCloud> => {
  const { api, databaseUrl, databaseConnections: connections, rendering } = options
  const database = await openDatabase(databaseUrl, state, { connections })
  ends.add(() => database.close())
  let report: (thrown: unknown) => void = () => {}
  const timeoutMs = rendering?.renderTimeoutMs ?? workerDefaults.timeoutMs
  const queue = await openQueue(database, { timeoutMs, onError: (thrown) => report(thrown) })
  ends.add(() => queue.close())
  let work: WorkParts | undefined
  const cloud = await createCloud(api, {
    database,
    queue,
    addRoutes: addRoutes(options.upstream),
    play: { network: rendering?.network, env: rendering?.env },
    checkPicture: (size, render) => void chooseSize(size, render),
    async startWork(parts) {
      report = (thrown) => parts.app.log.error({ err: thrown }, 'the queue failed')
      const started = await startWork(options, parts, queue)
      work = started.work
      return started
    },
  })
  let times: readonly [drainMs: number, delayMs: number] = [0, 0]
  ends.add(() => cloud.close(...times))
  const isOwn = database.kind === 'embedded'
  const admin: AdminParts = { database, examined: async () => work as WorkParts }
  const socket = isOwn ? await serveAdmin(admin, state) : undefined
  ends.add(() => socket?.close())
  const first = api.role !== 'worker' ? await createFirstAccount(database) : undefined
  const { app, listen, storage } = cloud
  return {
    app,
    database,
    listen,
    storage,
    first,
    async close(drainMs = 0, delayMs = 0) {
      times = [drainMs, delayMs]
      await ends.run()
    },
  }
}

/**
 * Starts a process of the hosted API: a single one with everything in one folder, or one of several that share a
 * Postgres and a storage.
 */
export const startCloud = async (options: StartOptions): Promise<StartedCloud> => {
  const { api, waiting } = options
  const { cwd = process.cwd(), state } = api
  const startOnce = async () => {
    const ends = createEnds()
    try {
      return await start(options, resolve(cwd, state), ends)
    } catch (thrown) {
      await ends.run()
      throw thrown
    }
  }
  if (!waiting) return startOnce()
  let isWaiting = false
  return retry(startOnce, {
    signal: waiting.signal,
    may: isDatabaseAway,
    delays: backOff({ firstMs: 200, maxMs: 5000 }),
    onRetry(reason) {
      if (!isWaiting) waiting.onWait(reason)
      isWaiting = true
    },
  })
}
