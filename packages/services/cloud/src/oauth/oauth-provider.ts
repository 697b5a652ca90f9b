import type { ClientMetadata, Configuration, Provider } from 'oidc-provider'
import { ACCESS_SCOPE, createItems } from '../accounts/oauth-items.ts'
import type { Sql } from '../database/database.ts'
import { createHtmlPage, html } from '../pages/html.ts'
import { sharedKeys } from './oauth-keys.ts'

/** The client id of the command, a public client. */
export const CLIENT_ID = 'vid-cli'
/** Path of the sign-in pages. */
export const INTERACTION_PATH = '/oauth/interaction'
/** Paths of the OAuth routes, by their names in the library. */
export const OAUTH_ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  userinfo: '/oauth/userinfo',
  jwks: '/oauth/jwks',
} as const

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const SCOPES = ['openid', 'email', 'offline_access', ACCESS_SCOPE]

/** Finds an account for the claims of a token; undefined if it is disabled or missing. */
const findAccount = async (sql: Sql, id: string) => {
  const [account] = await sql.rows<{ email: string | null }>(
    'SELECT email FROM vid.accounts WHERE id = $1 AND disabled_at IS NULL',
    [id],
  )
  if (!account) return undefined
  const { email } = account
  return { accountId: id, claims: async () => ({ sub: id, ...(email !== null && { email }) }) }
}

/** The only client: the command on a user's machine. */
const CLIENT = {
  client_id: CLIENT_ID,
  client_name: 'vid',
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  // Any loopback port, because a native client cannot reserve one (RFC 8252).
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  // The other modes reply with pages that contain scripts.
  response_modes: ['query'],
  scope: SCOPES.join(' '),
} satisfies ClientMetadata

/** Lifetimes in seconds. */
const LIFETIMES = {
  AccessToken: HOUR,
  AuthorizationCode: MINUTE,
  Grant: 365 * DAY,
  IdToken: HOUR,
  Interaction: HOUR,
  RefreshToken: 30 * DAY,
  Session: 12 * HOUR,
}

const renderError: NonNullable<Configuration['renderError']> = (context, out) => {
  const text = html`<main class="narrow"><h1>This sign-in cannot continue</h1>
<p class="problem">${String(out.error_description ?? out.error)}</p>
<p>Start it again with <code>vid auth login</code>.</p></main>`
  const { body, headers } = createHtmlPage('Sign in', text)
  context.set({ ...headers })
  context.body = body
}

const configurationOf = async (sql: Sql, publicUrl: string): Promise<Configuration> => {
  const { jwk, cookie } = await sharedKeys(sql)
  const cookies = {
    httpOnly: true,
    sameSite: 'lax',
    signed: true,
    secure: publicUrl.startsWith('https:'),
  } as const
  return {
    adapter: (model: string) => createItems(sql, model),
    clients: [CLIENT],
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    scopes: SCOPES,
    claims: { openid: ['sub'], email: ['email'] },
    clientBasedCORS: () => false,
    allowOmittingSingleRegisteredRedirectUri: false,
    cookies: {
      keys: [cookie],
      names: { interaction: 'vid_interaction', resume: 'vid_resume', session: 'vid_session' },
      long: cookies,
      short: cookies,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: true },
    },
    findAccount: (_context, id) => findAccount(sql, id),
    interactions: { url: (_context, { uid }) => `${INTERACTION_PATH}/${uid}` },
    jwks: { keys: [jwk] },
    // Each login has its own grant, so that ending one does not end the others.
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId)
    },
    pkce: { required: () => true },
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    renderError,
    routes: OAUTH_ROUTES,
    ttl: LIFETIMES,
  }
}

/** Imports the library without its warning about Node versions: the parts in use work on every supported version. */
const importProvider = async () => {
  const { warn } = console
  console.warn = (...words: readonly unknown[]) => {
    if (!/Unsupported runtime/.test(String(words[0]))) warn(...words)
  }
  try {
    return await import('oidc-provider')
  } finally {
    console.warn = warn
  }
}

/** The OAuth server for one public address. */
export interface OAuthServer {
  readonly publicUrl: string
  readonly provider: Provider
  /** Answers a request with the library's own framework. */
  readonly answer: ReturnType<Provider['callback']>
}

const open = async (sql: Sql, publicUrl: string, onError: (thrown: unknown) => void): Promise<OAuthServer> => {
  const { Provider } = await importProvider()
  const provider = new Provider(publicUrl, await configurationOf(sql, publicUrl))
  // The routes set the forwarded headers from the public address, so they can be trusted.
  provider.proxy = true
  provider.on('server_error', (_context, error) => onError(error))
  provider.on('error' as 'server_error', onError as never)
  return { publicUrl, provider, answer: provider.callback() }
}

/**
 * Creates the OAuth server on first use, with its data in a database. Only then is the public address certain, because
 * it may depend on the port on which the server listens.
 */
export const createOAuthServer = (
  sql: Sql,
  publicUrl: () => string,
  onError: (thrown: unknown) => void,
): (() => Promise<OAuthServer>) => {
  let current: { readonly url: string; readonly server: Promise<OAuthServer> } | undefined
  return () => {
    const url = publicUrl()
    if (current?.url === url) return current.server
    const server = open(sql, url, onError)
    current = { url, server }
    // The database may be reachable again for the next request.
    server.catch(() => {
      if (current?.server === server) current = undefined
    })
    return server
  }
}
