import { Type } from '@vid/protocol'
import { createServer, failHttp, unlisted, type VidServer } from '@vid/server'
import {
  type AskedDocument,
  mediaBase,
  NO_STORE,
  openFonts,
  openProjectSite,
  type Preparing,
  type ProjectSite,
  prepareDocument,
  problemPage,
  rateOf,
  type SiteFonts,
  type SitePlace,
} from '@vid/site'
import type { Edits } from '../edits/edits.ts'
import type { PreviewFiles } from '../project/project-files.ts'
import type { ProjectSettings } from '../project/settings.ts'
import { openShows, type Shows, type ShowsBody, ShowsSchema } from './shows.ts'
import { openSounds, type SoundDecoder, SoundQuery, type SoundSlice } from './sounds.ts'

/** The origin of the compositions. */
export interface Site {
  readonly server: VidServer
  /** Says at which port it listens, and which page may show it. */
  opened(address: { readonly port: number; readonly pageOrigin: string }): Promise<void>
  /** Forgets what depends on files that have changed. */
  renew(): Promise<void>
}

/** What the site is made of. */
export interface SiteOptions {
  readonly files: PreviewFiles
  readonly settings: () => Promise<ProjectSettings>
  readonly edits: Pick<Edits, 'textsOf' | 'staged' | 'texts'>
  /** Absolute folder for temporary files, which its owner removes. */
  readonly scratch: string
  readonly signal: AbortSignal
}

const Source = Type.Object({ src: Type.String({ maxLength: 100_000 }) })

const preparingOf = (
  settings: ProjectSettings,
  { fonts, edits, signal }: { readonly fonts: SiteFonts } & Pick<SiteOptions, 'edits' | 'signal'>,
): Preparing => {
  return { settings, mediaBase: mediaBase(settings.fps), fonts, textsOf: edits.textsOf, signal }
}

/** Adds what the players of compositions ask of their media. */
const addMediaRoutes = (app: VidServer['app'], shows: Shows, sounds: SoundDecoder): void => {
  app.get<{ Querystring: { src: string } }>(
    '/.vid/:rate/facts',
    { schema: unlisted({ querystring: Source }) },
    async ({ query }, reply) => reply.type('application/json').send(JSON.stringify(await shows.facts(query.src))),
  )
  app.post<{ Body: ShowsBody; Params: { rate: string } }>(
    '/.vid/:rate/shows',
    { schema: unlisted({ body: ShowsSchema }) },
    async ({ body, params }) => shows.show(body, rateOf(params.rate)),
  )
  app.get<{ Querystring: SoundSlice }>(
    '/.vid/:rate/sound',
    { schema: unlisted({ querystring: SoundQuery }) },
    async ({ query }, reply) => {
      const samples = await sounds.read(query)
      if (samples === undefined) throw failHttp('VID_HTTP_NOT_FOUND', {})
      return reply.headers(NO_STORE).type('application/octet-stream').send(samples)
    },
  )
}

/** Makes the server of the compositions' origin; it answers once it knows its own address. */
export const createSite = async ({ files, settings, edits, scratch, signal }: SiteOptions): Promise<Site> => {
  const server = await createServer({
    host: 'localhost',
    log: { level: 'silent' },
  })
  const { app } = server
  const fonts = await openFonts()
  const shows = openShows({ files, settings, signal })
  const prepare = async (document: AskedDocument) =>
    prepareDocument(files.dir, document, preparingOf(await settings(), { fonts, edits, signal }))
  let site: ProjectSite | undefined
  let place: SitePlace = { host: '', pageOrigin: '' }

  // The gate lets every name of the loopback pass. Under the page's own name, a composition would be of its site.
  app.addHook('onRequest', async ({ headers }) => {
    if (headers.host !== place.host) throw failHttp('VID_HTTP_HOST', { host: String(headers.host).slice(0, 200) })
  })
  addMediaRoutes(app, shows, openSounds(files, { scratch, signal }))
  app.get('/*', { schema: unlisted() }, async (request, reply) => {
    if (!site) throw failHttp('VID_HTTP_NOT_FOUND', {})
    return site.answer(request, reply)
  })
  return {
    server,
    async opened({ port, pageOrigin }) {
      place = { host: `localhost:${port}`, pageOrigin }
      site = await openProjectSite({
        files,
        fonts,
        prepare,
        signal,
        place,
        problem: problemPage,
        media: shows.file,
        staged: edits.staged,
        stagedTexts: edits.texts,
      })
    },
    async renew() {
      site?.renew()
      await shows.renew()
    },
  }
}
