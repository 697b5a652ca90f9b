import {
  CloudPublicationIdSchema,
  CloudPublicationSchema,
  type CloudPublish,
  CloudPublishSchema,
  CloudReplySchema,
} from '@vid/client/contract'
import { Type, Value } from '@vid/protocol'
import type { App } from '@vid/server'
import type { Database } from '../database/database.ts'
import { pageRoute } from '../pages/page-route.ts'
import type { ResultAddresses } from '../renders/result-addresses.ts'
import { HLS_PATH, PLAYER_PATH, readPlayer } from './page-script.ts'
import type { PlayAddress } from './play-address.ts'
import { missingPage, playAddressOf, publicationPage, publicPage } from './publication-page.ts'
import {
  listPublic,
  listPublications,
  PAGES_PATH,
  type PublishedRender,
  publish,
  readPublished,
  unpublish,
} from './publications.ts'

/** Dependencies of publications. */
export interface PublicationParts {
  readonly app: App
  readonly database: Database
  /** Address at which clients reach the server, without a slash at the end. */
  readonly publicUrl: () => string
  readonly addressesOf: ResultAddresses
  readonly play: Pick<PlayAddress, 'originOf'>
}

const UnpublishedSchema = Type.Object({
  publication_id: CloudPublicationIdSchema,
  deleted: Type.Literal(true),
})

/** Omitted fields get their defaults. */
const PublishInputSchema = Type.Object(
  {
    ...CloudPublishSchema.properties,
    public: Type.Optional(CloudPublishSchema.properties.public),
  },
  { additionalProperties: false },
)

const addApi = ({ app, database, publicUrl }: PublicationParts): void => {
  const path = '/v3/vid/publications'
  const described = (operationId: string, summary: string) => ({
    operationId,
    summary,
    tags: ['publications'],
  })
  app.post(
    path,
    {
      schema: {
        ...described('createPublication', 'Make the page of a render, or change the one that it has'),
        body: PublishInputSchema,
        response: { 200: CloudReplySchema(CloudPublicationSchema) },
      },
    },
    async ({ owner, body }) => {
      const settings = Value.Default(CloudPublishSchema, Value.Clone(body)) as CloudPublish
      return { data: await publish(database, owner, settings, publicUrl()) }
    },
  )
  app.get(
    path,
    {
      schema: {
        ...described('listPublications', 'The pages of the account, the latest first'),
        response: { 200: CloudReplySchema(Type.Array(CloudPublicationSchema)) },
      },
    },
    async ({ owner }) => ({ data: await listPublications(database, owner, publicUrl()) }),
  )
  app.delete(
    `${path}/:publication_id`,
    {
      schema: {
        ...described('deletePublication', 'Remove a page'),
        // An id of another format does not exist.
        params: Type.Object({ publication_id: Type.String({ minLength: 1, maxLength: 100 }) }),
        response: { 200: CloudReplySchema(UnpublishedSchema) },
      },
    },
    async ({ owner, params: { publication_id } }) => {
      await unpublish(database, owner, publication_id)
      return { data: { publication_id, deleted: true as const } }
    },
  )
}

/** Adds the API of publications, and their public pages. */
export const addPublicationRoutes = (parts: PublicationParts): void => {
  const { app, database, addressesOf, play } = parts
  addApi(parts)
  const playUrlOf = (published: PublishedRender, token: string): string | undefined => {
    const origin = published.is_playable ? play.originOf(token) : undefined
    return origin && playAddressOf(published, origin)
  }
  app.get(PLAYER_PATH, pageRoute, async (_request, reply) =>
    // Cacheable, because its address changes with its text.
    reply
      .headers({ 'cache-control': 'public, max-age=31536000, immutable' })
      .type('text/javascript; charset=utf-8')
      .send(readPlayer().text),
  )
  app.get(HLS_PATH, pageRoute, async (_request, reply) => {
    const { readLiveScript } = await import('@vid/site/live')
    const headers = { 'cache-control': 'public, max-age=3600' }
    return reply
      .headers(headers)
      .type('text/javascript; charset=utf-8')
      .send(await readLiveScript())
  })
  app.get(PAGES_PATH, pageRoute, async (_request, reply) => {
    const { body, headers } = publicPage(await listPublic(database))
    return reply.headers(headers).send(body)
  })
  app.get(`${PAGES_PATH}/:token`, pageRoute, async (request, reply) => {
    const { token } = request.params as { readonly token: string }
    const published = await readPublished(database, token)
    const page = published
      ? publicationPage(published, await addressesOf(published), playUrlOf(published, token))
      : missingPage()
    return reply
      .code(published ? 200 : 404)
      .headers(page.headers)
      .send(page.body)
  })
}
