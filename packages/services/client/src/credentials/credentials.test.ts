import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { type CloudScript, startCloudServer } from '../fixtures/cloud-server.ts'
import { createCloudClient, logout, resolveCredential, storeApiKey } from '../index.ts'
import { changeCredentials, credentialsPath } from './file.ts'

const signal = new AbortController().signal

const makeHome = async () => {
  const HOME = await mkdtemp(join(tmpdir(), 'credentials-'))
  onTestFinished(() => rm(HOME, { recursive: true, force: true }))
  const env: NodeJS.ProcessEnv = { HOME, XDG_CONFIG_HOME: join(HOME, 'xdg') }
  return { env, folder: join(HOME, '.host'), path: credentialsPath(env) }
}

const put = async ({ folder, path }: { folder: string; path: string }, content: unknown, mode = 0o600) => {
  await mkdir(folder, { mode: 0o700 })
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  await chmod(path, mode)
}

const read = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
const modeOf = async (path: string) => ((await lstat(path)).mode & 0o777).toString(8)

/** A server, and a sign-in at it that is stored. */
const signedIn = async (tokens: object = {}, script: CloudScript = {}) => {
  const home = await makeHome()
  const server = await startCloudServer(script)
  const { signIns, url } = server
  signIns.tokens.add('access-1')
  signIns.refreshTokens.add('refresh-1')
  const oauth = { access_token: 'access-1', refresh_token: 'refresh-1', token_type: 'bearer', ...tokens }
  await put(home, { oauth, api_url: url, theirs: { a: 1 } })
  return { ...home, server, url }
}

const clientFor = async (env: NodeJS.ProcessEnv, url: string) => {
  const { credential } = await resolveCredential({ env, url })
  const client = createCloudClient({ url, credential, limits: { awayMs: 500 } })
  onTestFinished(() => client.close())
  return client
}

test('HOST_API_KEY wins over VID_API_KEY, which wins over the file', async () => {
  const home = await makeHome()
  await put(home, { api_key: 'of-the-file' })
  const keyOf = async (more: NodeJS.ProcessEnv) => {
    const resolved = await resolveCredential({ env: { ...home.env, ...more }, url: 'http://127.0.0.1:1' })
    return [resolved.source, resolved.kind, await resolved.credential.current(signal)]
  }
  const both = { HOST_API_KEY: 'of-host', VID_API_KEY: 'of-vid' }
  expect(await keyOf(both)).toEqual(['HOST_API_KEY', 'api_key', { apiKey: 'of-host' }])
  expect(await keyOf({ ...both, HOST_API_KEY: '' })).toEqual(['VID_API_KEY', 'api_key', { apiKey: 'of-vid' }])
  expect(await keyOf({})).toEqual([home.path, 'api_key', { apiKey: 'of-the-file' }])
})

test('without any credential, the error says how to sign in', async () => {
  const { env } = await makeHome()
  await expect(resolveCredential({ env, url: 'http://127.0.0.1:1' })).rejects.toMatchObject({
    code: 'VID_CREDENTIALS_MISSING',
    hint: expect.stringContaining('vid auth login'),
  })
})

test('what is stored for one address is not sent to another one', async () => {
  const home = await makeHome()
  await put(home, { api_key: 'k', api_url: 'https://api.example.com' })
  const resolve = (url: string) => resolveCredential({ env: home.env, url })
  expect((await resolve('https://api.example.com/')).kind).toBe('api_key')
  await expect(resolve('https://other.example.com')).rejects.toMatchObject({
    code: 'VID_CREDENTIALS_ELSEWHERE',
    message: expect.stringContaining('https://api.example.com'),
  })
})

test.each([
  ['a file that others can read', 0o640, 'chmod 600'],
  ['a file that others can write', 0o602, 'chmod 600'],
])('%s is refused, with the command that mends it', async (_name, mode, fix) => {
  const home = await makeHome()
  await put(home, { api_key: 'secret-key' }, mode)
  const failed = resolveCredential({ env: home.env, url: 'http://127.0.0.1:1' })
  await expect(failed).rejects.toMatchObject({ code: 'VID_CREDENTIALS_MODE', fault: 'caller' })
  await expect(failed).rejects.toMatchObject({ hint: expect.stringContaining(`${fix} ${home.path}`) })
})

test('a folder that others can read is refused, with the command that mends it', async () => {
  const home = await makeHome()
  await put(home, { api_key: 'k' })
  await chmod(home.folder, 0o755)
  await expect(resolveCredential({ env: home.env, url: 'http://127.0.0.1:1' })).rejects.toMatchObject({
    code: 'VID_CREDENTIALS_MODE',
    hint: expect.stringContaining(`chmod 700 ${home.folder}`),
  })
})

test('a link is refused', async () => {
  const home = await makeHome()
  await put(home, { api_key: 'k' })
  await rename(home.path, `${home.path}.real`)
  await symlink(`${home.path}.real`, home.path)
  await expect(resolveCredential({ env: home.env, url: 'http://127.0.0.1:1' })).rejects.toMatchObject({
    code: 'VID_CREDENTIALS_KIND',
    message: expect.stringContaining('a link'),
  })
})

test('a folder that a link leads to is as good as any other', async () => {
  const home = await makeHome()
  await put(home, { api_key: 'k' })
  await rename(home.folder, `${home.folder}-elsewhere`)
  await symlink(`${home.folder}-elsewhere`, home.folder)
  expect((await resolveCredential({ env: home.env, url: 'http://127.0.0.1:1' })).kind).toBe('api_key')
  await changeCredentials(home.path, (before) => ({ ...before, theirs: 1 }), signal)
  expect(await read(home.path)).toEqual({ api_key: 'k', theirs: 1 })
})

test.each(['', '{', '[]', '{"api_key":5}', '{"oauth":{"access_token":["secret"]}}'])(
  'a file that holds %s is refused, and nothing of it is shown',
  async (content) => {
    const home = await makeHome()
    await put(home, content)
    const thrown = await resolveCredential({ env: home.env, url: 'http://127.0.0.1:1' }).catch((error) => error)
    expect(thrown).toMatchObject({ code: 'VID_CREDENTIALS_DAMAGED' })
    expect(`${thrown.message}${thrown.hint}`).not.toContain('secret')
  },
)

test('a key is stored once the API accepts it, for the user alone, and what others keep there stays', async () => {
  const home = await makeHome()
  const { url } = await startCloudServer()
  await expect(storeApiKey('wrong', { url, path: home.path })).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(lstat(home.path)).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await storeApiKey('key-of-ann', { url, path: home.path })).toMatchObject({
    email: 'ann@example.com',
  })
  expect([await modeOf(home.folder), await modeOf(home.path)]).toEqual(['700', '600'])
  await changeCredentials(home.path, (before) => ({ ...before, theirs: [1], oauth: { access_token: 'old' } }), signal)
  await storeApiKey('key-of-ann', { url, path: home.path })
  expect(await read(home.path)).toEqual({
    theirs: [1],
    api_key: 'key-of-ann',
    api_url: url,
    user: { user_id: 'user_1', email: 'ann@example.com', name: 'Ann' },
  })
  expect(await readdir(home.folder)).toEqual(['credentials'])
})

test('a token that is refused is refreshed, and the request sent once more', async () => {
  const { env, path, server, url } = await signedIn({ scope: 'renders', extra: 'kept' })
  server.signIns.tokens.clear()
  const client = await clientFor(env, url)
  expect(await client.me()).toMatchObject({ credential: 'oauth' })
  expect(server.lines('GET /v3/users')).toHaveLength(2)
  const credentials = await read(path)
  expect(credentials).toMatchObject({
    theirs: { a: 1 },
    oauth: { extra: 'kept', scope: expect.stringContaining('renders') },
  })
  expect(JSON.stringify(credentials)).not.toContain('"access-1"')
  expect(await modeOf(path)).toBe('600')
})

test('a token that is refused after its refresh is an error, not a circle', async () => {
  const { env, server, url } = await signedIn(
    {},
    {
      answers: {
        'GET /v3/users': () => (_asked, response) => {
          response.writeHead(401, { 'content-type': 'application/json' })
          response.end('{"error":{"code":"unauthorized","message":"no","param":null,"doc_url":null}}')
        },
      },
    },
  )
  const client = await clientFor(env, url)
  await expect(client.me()).rejects.toMatchObject({ code: 'unauthorized' })
  expect(server.lines('GET /v3/users')).toHaveLength(2)
})

test('a token that has expired is refreshed before it is sent', async () => {
  const { env, server, url } = await signedIn({ expires_at: Math.floor(Date.now() / 1000) - 5 })
  const client = await clientFor(env, url)
  await client.me()
  expect(server.lines('GET /v3/users')).toHaveLength(1)
  expect(server.lines('POST /oauth/token')).toHaveLength(1)
})

test('many requests at once refresh once', async () => {
  const { env, server, url } = await signedIn()
  server.signIns.tokens.clear()
  const client = await clientFor(env, url)
  await Promise.all(Array.from({ length: 8 }, () => client.me()))
  expect(server.lines('POST /oauth/token')).toHaveLength(1)
})

test('a sign-in that has ended says so', async () => {
  const { env, server, url } = await signedIn()
  server.signIns.tokens.clear()
  server.signIns.refreshTokens.clear()
  const client = await clientFor(env, url)
  await expect(client.me()).rejects.toMatchObject({
    code: 'VID_LOGIN_EXPIRED',
    hint: expect.stringContaining('vid auth login'),
  })
})

const worker = fileURLToPath(new URL('../fixtures/refresh-process.mjs', import.meta.url))

/** Refreshes in a separate process; resolves to what it prints. */
const inProcess = async (env: NodeJS.ProcessEnv, url: string) => {
  const child = spawn(process.execPath, [worker, url], { env: { ...process.env, ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  await once(child, 'close')
  return stdout || stderr
}

test('two processes that refresh at once both stay signed in, by one refresh', async () => {
  const { env, path, server, url } = await signedIn()
  server.signIns.tokens.clear()
  const users = await Promise.all([inProcess(env, url), inProcess(env, url), inProcess(env, url)])
  expect(users).toEqual(['ann@example.com', 'ann@example.com', 'ann@example.com'])
  expect(server.lines('POST /oauth/token')).toHaveLength(1)
  const { oauth } = (await read(path)) as { oauth: { refresh_token: string } }
  expect(server.signIns.refreshTokens.has(oauth.refresh_token)).toBe(true)
})

test('signing out revokes the sign-in where it is valid, and leaves what others keep', async () => {
  const { env, path, server, url } = await signedIn()
  expect(await logout({ path, url: 'http://127.0.0.1:1' })).toEqual({ removed: true })
  expect(server.signIns.revoked).toEqual(['refresh-1'])
  expect(await read(path)).toEqual({ theirs: { a: 1 } })
  expect(await logout({ path, url })).toEqual({ removed: false })
  await expect(resolveCredential({ env, url })).rejects.toMatchObject({ code: 'VID_CREDENTIALS_MISSING' })
})

test('signing out works while the server is away, and says that it was not told', async () => {
  const { path, server, url, folder } = await signedIn()
  await server.close()
  await changeCredentials(path, ({ theirs: _theirs, ...rest }) => rest, signal)
  const { removed, failure } = await logout({ path, url })
  expect([removed, failure]).toMatchObject([true, { code: 'VID_API_UNREACHABLE' }])
  expect(await readdir(folder)).toEqual([])
})
