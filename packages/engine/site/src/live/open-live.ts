import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Type } from '@vid/protocol'
import { type App, clientGone, createServer, failHttp, sendPublished, unlisted } from '@vid/server'
import { inTempFolder, removeAbandoned, scratchName } from '@vid/system'
import { readLiveScript } from '../live-script.ts'
import { LIVE_PAGE, LIVE_POLICY } from './live-page.ts'

/** A page that plays a video while it is rendered. */
export interface Live {
  /** Address of the page, with the token that its requests need. */
  readonly url: string
  readonly port: number
  /** Absolute path of an empty folder for what is published; `close` removes it. */
  readonly folder: string
  /** Plays the video of a playlist in the folder. */
  show(index: string): void
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const PREFIX = 'vid-live-'

const Shown = Type.Object({ shown: Type.String({ maxLength: 1000 }) })

/** The address of the video that is played now. */
const createStage = () => {
  const changes = new EventEmitter()
  let address = ''
  return {
    show(next: string) {
      if (next === address) return
      address = next
      changes.emit('change')
    },
    /** Resolves to an address that is not `shown`; rejects when the signal aborts. */
    async next(shown: string, signal: AbortSignal): Promise<string> {
      while (address === shown) await once(changes, 'change', { signal })
      return address
    },
  }
}

const addRoutes = (
  app: App,
  { token, folder, stage, stopping }: LiveParts & { readonly stopping: AbortSignal },
): void => {
  const schema = unlisted()
  app.addHook('preHandler', async ({ params }) => {
    if ((params as { token?: string }).token !== token) throw failHttp('VID_HTTP_NOT_FOUND', {})
  })
  app.get('/:token/', { schema }, async (_, reply) =>
    reply
      .headers({
        'content-security-policy': LIVE_POLICY,
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      .type('text/html; charset=utf-8')
      .send(LIVE_PAGE),
  )
  app.get('/:token/player.js', { schema }, async (_, reply) =>
    reply.type('text/javascript; charset=utf-8').send(await readLiveScript()),
  )
  app.get<{ Querystring: { shown: string } }>(
    '/:token/state',
    { schema: unlisted({ querystring: Shown }) },
    async (request, reply) => {
      const signal = AbortSignal.any([clientGone(reply), stopping])
      return reply.header('cache-control', 'no-store').send({ address: await stage.next(request.query.shown, signal) })
    },
  )
  app.get<{ Params: { video: string; name: string } }>('/:token/:video/:name', { schema }, async (request, reply) => {
    const { video, name } = request.params
    if (!/^[\w-]+$/.test(video)) throw failHttp('VID_HTTP_NOT_FOUND', {})
    return sendPublished(request, reply, { folder: join(folder, video), name })
  })
}

interface LiveParts {
  readonly token: string
  readonly folder: string
  readonly stage: ReturnType<typeof createStage>
}

/** Starts the page on the loopback; without a port, on any free one. */
export const openLive = async (port = 0): Promise<Live> => {
  const token = randomBytes(16).toString('hex')
  const stage = createStage()
  const folder = await inTempFolder(async (parent) => {
    await removeAbandoned(parent, PREFIX)
    const path = join(parent, scratchName(PREFIX))
    await mkdir(path, { mode: 0o700 })
    return path
  })
  const server = await createServer({ host: HOST, log: { level: 'silent' } })
  const close = async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    addRoutes(server.app, { token, folder, stage, stopping: server.stopping })
    const listening = await server.listen(port)
    return {
      url: `${listening.url}/${token}/`,
      port: listening.port,
      folder,
      show: (index) => stage.show(`${basename(dirname(index))}/${basename(index)}`),
      close,
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
}
