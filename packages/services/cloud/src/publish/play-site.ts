import type { IncomingMessage, RequestListener } from 'node:http'
import type { HeldProject } from '@vid/project'
import { createRecentMap, recentWork } from '@vid/protocol'
import type { Reader } from '@vid/reader'
import { ANYONE, createServer, failHttp, type ServerOptions } from '@vid/server'
import { openFonts, type ProjectSite, type SiteFonts } from '@vid/site'
import type { Database } from '../database/database.ts'
import { pageRoute } from '../pages/page-route.ts'
import type { ProcessProjects } from '../projects/process-projects.ts'
import { limitPublicRoutes } from '../requests/limit-requests.ts'
import type { RateLimits } from '../requests/rate-limits.ts'
import type { PlayAddress } from './play-address.ts'
import { openPlayedProject, type PlayOptions } from './played-project.ts'
import { readPlayed } from './publications.ts'

/** Number of compositions whose sites stay in memory; a site is small and holds no files. */
const MAX_SITES = 200

/** Dependencies of the composition origins. */
export interface PlaySiteParts {
  readonly address: PlayAddress
  readonly publicUrl: () => string
  readonly database: Database
  readonly cache: Pick<ProcessProjects, 'hold'>
  readonly rates: RateLimits
  readonly play: PlayOptions
  readonly reader: Pick<Reader, 'reading'>
  /** Options of the server that shares the port. */
  readonly server: Pick<ServerOptions, 'trustedProxies' | 'errors' | 'log' | 'limits'>
}

/** Serves the origins of the compositions that pages play. */
export interface PlaySite {
  /** The handler of a request for such an origin; undefined for any other request. */
  find(request: IncomingMessage): RequestListener | undefined
  close(): Promise<void>
}

/** The sites of compositions, opened when they are asked for. */
const createSites = ({ play, reader }: Pick<PlaySiteParts, 'play' | 'reader'>, signal: AbortSignal) => {
  const sites = createRecentMap<string, Promise<ProjectSite>>(MAX_SITES)
  let fonts: Promise<SiteFonts> | undefined
  return (
    played: Parameters<typeof openPlayedProject>[0],
    place: Parameters<typeof openPlayedProject>[1],
  ): Promise<ProjectSite> => {
    const key = [played.render_id, place.folder, place.host].join('\n')
    const open = async () => {
      fonts ??= openFonts()
      return openPlayedProject(played, place, play, { fonts: await fonts, reading: reader.reading, signal })
    }
    return recentWork(sites, key, open)
  }
}

/** Creates the server of the compositions; it shares the main server's port and nothing else. */
export const createPlaySite = async (parts: PlaySiteParts): Promise<PlaySite> => {
  const { address, publicUrl, database, cache, rates } = parts
  const closing = new AbortController()
  const siteOf = createSites(parts, closing.signal)
  const { app, listener, close } = await createServer({
    ...parts.server,
    // Accepts every host name, because `find` has checked it.
    host: '0.0.0.0',
    authenticate: async () => ANYONE,
  })
  limitPublicRoutes(app, rates)
  app.get('/*', pageRoute, async (request, reply) => {
    const { host = '' } = request.headers
    const label = address.labelIn(host)
    const played = label === undefined ? undefined : await readPlayed(database, label)
    if (!played) throw failHttp('VID_HTTP_NOT_FOUND', {})
    const { raw } = reply
    let project: HeldProject | undefined
    // Avoids Node's warning about listeners: the server and a stream already add as many as Node allows.
    raw.setMaxListeners(raw.getMaxListeners() + 1)
    raw.once('close', () => project?.release())
    project = await cache.hold(played.project_key, played.project_digest, closing.signal)
    if (raw.closed) project.release()
    const place = { folder: project.folder, host, pageOrigin: publicUrl() }
    return (await siteOf(played, place)).answer(request, reply)
  })
  const listen = await listener()
  return {
    find: ({ headers }) => (address.labelIn(headers.host) === undefined ? undefined : listen),
    async close() {
      closing.abort(new Error('the server is closing'))
      await close()
    },
  }
}
