import { describeCause } from '@vid/protocol'
import type { App } from '@vid/server'
import type { Database } from '../database/database.ts'
import { createOAuthServer } from './oauth-provider.ts'
import { addOAuthRoutes } from './oauth-routes.ts'
import { addSignInRoutes } from './sign-in-routes.ts'
import type { Upstream } from './upstream.ts'

/** Dependencies of sign-in. */
export interface OAuthOptions {
  readonly app: App
  readonly database: Database
  /** Address at which clients reach the server, without a slash at the end; the issuer of tokens. */
  readonly publicUrl: () => string
  readonly upstream?: Upstream | undefined
}

/** Adds everything that `vid auth login` needs: the OAuth server and the sign-in pages. */
export const addOAuth = async ({ app, database, publicUrl, upstream }: OAuthOptions): Promise<void> => {
  const server = createOAuthServer(database, publicUrl, (thrown) =>
    app.log.error({ err: thrown, reason: describeCause(thrown) }, 'sign-in failed'),
  )
  await addOAuthRoutes(app, server)
  await addSignInRoutes({ app, database, server, upstream })
}
