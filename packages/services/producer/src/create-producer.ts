import { join } from 'node:path'
import { describeCause } from '@vid/protocol'
import { openReader } from '@vid/reader'
import { createRenderer, openContext } from '@vid/render'
import { createReplyText, createServer, type Listening, type LogOptions } from '@vid/server'
import { producerStatuses } from './errors.ts'
import { openRequestJournal } from './journal/journal.ts'
import { openServerFolder, type ServerFolder } from './journal/server-folder.ts'
import { createProducerMetrics } from './metrics.ts'
import { checkProducerOptions, type ProducerSettings } from './options.ts'
import { createOutputs } from './outputs/outputs.ts'
import { createStreams } from './outputs/streams.ts'
import { openProjects } from './projects/projects.ts'
import { watchBodies } from './requests/body-room.ts'
import { checkRoots } from './requests/places.ts'
import { createService } from './requests/service.ts'
import { addTransferRoutes } from './routes/file-routes.ts'
import { addLintRoute } from './routes/lint-route.ts'
import type { ProducerParts } from './routes/parts.ts'
import { addRequestRoutes } from './routes/request-routes.ts'
import { producerSchemas } from './routes/schemas.ts'
import { addStatusRoutes } from './routes/status-routes.ts'
import { addWorkRoutes } from './routes/work-routes.ts'

/** Options of a render server, besides its settings. */
export interface ProducerOptions extends Partial<ProducerSettings> {
  /** Absolute folder to start the search for the config, and base of relative paths; the current folder if left out. */
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Address to listen on; 127.0.0.1 if left out. Other addresses require a token. */
  readonly host?: string
  /** Name of the token's setting, for messages. */
  readonly tokenSetting?: string
  readonly log?: LogOptions
}

/** A render server. */
export interface Producer {
  /** The Fastify instance, for a process that mounts the server in its own. */
  readonly app: ProducerParts['app']
  /** Listens on a port; 0 for any free one. */
  listen(port: number): Promise<Listening>
  /** Takes no new work, waits up to `drainMs` for running renders, then stops them; releases everything. */
  close(drainMs?: number): Promise<void>
}

const TIDY_MS = 60_000
/** How long the last replies may take to be sent, in milliseconds. */
const LINGER_MS = 5000

const API = {
  title: 'vid producer',
  version: '1.0.0',
  description: 'Renders HTML compositions to video: one machine, one queue.',
  schemas: producerSchemas,
} as const

const fields: Readonly<Record<string, string>> = { entry: 'entryFile', output: 'outputPath' }
const nameOf = (setting: string) => fields[setting] ?? setting

/** Names of settings as in the body of a request. */
const spelling = { name: nameOf, source: (setting: string) => `field ${nameOf(setting)}` } as const

/** The settings among the options, without the options of the process. */
const settingsAmong = ({ cwd: _c, env: _e, host: _h, tokenSetting: _t, log: _l, ...settings }: ProducerOptions) =>
  settings

/** Creates a render server in its folder; the caller releases the folder if this fails. */
const openProducer = async (
  options: ProducerOptions,
  settings: ProducerSettings,
  folder: ServerFolder,
): Promise<Producer> => {
  const { cwd = process.cwd(), env = process.env } = options
  const { outputRoot, root, stateDir, network: maxNetwork } = settings
  const replyText = createReplyText([folder.path, outputRoot, root])
  const server = await createServer({
    api: API,
    host: options.host,
    tokens: settings.tokens,
    tokenSetting: options.tokenSetting ?? 'tokens',
    allowedHosts: settings.allowedHosts,
    allowedOrigins: settings.allowedOrigins,
    errors: { statuses: producerStatuses, describe: replyText.describe },
    limits: { bodyBytes: settings.bodyBytes, requestTimeoutMs: settings.requestTimeoutMs },
    log: options.log,
  })
  const { app } = server
  const reader = await openReader()
  const environment = { cwd, env, configFrom: 'cwd', maxNetwork, spelling, reading: reader.reading } as const
  const context = await openContext(environment)
  const renderer = await createRenderer({
    ...environment,
    concurrency: settings.maxConcurrentRenders,
    isolated: true,
    storeDir: cwd,
    memoryBytes: settings.memoryBytes,
  })
  const journal = await openRequestJournal(join(folder.path, 'requests'), stateDir !== undefined)
  const projects = await openProjects(join(folder.path, 'projects'), settings)
  const outputs = createOutputs(settings.outputTtlMs)
  const streams = createStreams(settings.outputTtlMs)
  const metrics = await createProducerMetrics(() => ({
    active: service.slots.active(),
    waiting: service.slots.waiting(),
  }))
  const service = createService({
    renderer,
    outputs,
    streams,
    metrics,
    settings,
    replyText,
    journal,
    projects,
    folder: folder.path,
    log: (level, facts, text) => app.log[level](facts, text),
  })
  const bodies = watchBodies(app, settings)
  const parts: ProducerParts = {
    reader,
    app,
    bodies,
    service,
    outputs,
    streams,
    metrics,
    replyText,
    settings,
    projects,
    context,
    folder: folder.path,
  }
  const { default: multipart } = await import('@fastify/multipart')
  await app.register(multipart)
  for (const add of [addStatusRoutes, addWorkRoutes, addRequestRoutes, addTransferRoutes, addLintRoute]) add(parts)
  await service.restore()
  const tidying = setInterval(() => {
    projects.tidy().catch((cause) => app.log.error({ reason: describeCause(cause) }, 'cannot remove projects'))
  }, TIDY_MS)
  tidying.unref()

  const close = async (drainMs: number) => {
    clearInterval(tidying)
    const ended = service.close(drainMs)
    await server.drain(drainMs + LINGER_MS, { work: ended })
    await ended
    await renderer.close()
    await reader.close()
    await folder.release()
  }
  let closing: Promise<void> | undefined
  return {
    app,
    listen: (port) => server.listen(port),
    close: (drainMs = 0) => {
      closing ??= close(drainMs)
      return closing
    },
  }
}

/** Creates a render server; call `listen` to start it, and close it afterwards. */
export const createProducer = async (options: ProducerOptions = {}): Promise<Producer> => {
  const settings = checkProducerOptions(settingsAmong(options), options.cwd ?? process.cwd())
  await checkRoots(settings)
  const folder = await openServerFolder(settings.stateDir)
  try {
    return await openProducer(options, settings, folder)
  } catch (thrown) {
    await folder.release()
    throw thrown
  }
}
