import { once } from 'node:events'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findBrowser } from '@vid/browser'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'
import { prepareState } from '../support/cloud-state.ts'
import { here, printed, scratch, start, vid, vidInProcess } from '../support/vid.ts'

const PERSON = { email: 'mia@example.com', password: 'correct horse battery' }

const page = `<!doctype html><style>body { margin: 0; background: #204060 }</style>
<div data-composition-id="root" data-width="1920" data-height="1080" data-duration="0.1" data-no-timeline
 data-composition-variables='[{"id":"title","type":"string","label":"Title","default":"hi"}]'></div>`

let browser: Browser
beforeAll(async () => {
  const { path } = await findBrowser()
  browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'], timeout: BROWSER_PATIENCE_MS })
})
afterAll(() => browser.close())

/** Starts a server of the hosted API on a state folder, as an operator would. */
const serve = async (cwd: string, port = 0) => {
  const server = start(['cloud', 'serve', '--port', String(port), '--state', 'state', '--json'], { cwd })
  const [line] = await printed(server, /^.*"cloud-start".*\n/m)
  return { child: server.child, ...(JSON.parse(line) as { url: string; port: number }) }
}

/** A server with an account, and a folder with a composition for it. */
const workplace = async () => {
  const cwd = await scratch()
  await mkdir(join(cwd, 'home'))
  await mkdir(join(cwd, 'intro'))
  await symlink(here('../node_modules'), join(cwd, 'node_modules'))
  await writeFile(join(cwd, 'intro/index.html'), page)
  const config = `import cloud from '@vid/target-cloud'
export default { targets: { cloud: cloud({ pollSeconds: 0.2 }) } }`
  await writeFile(join(cwd, 'vid.config.mjs'), config)
  await prepareState(cwd)
  const server = await serve(cwd)
  const account = ['cloud', 'accounts', 'create', '--email', PERSON.email, '--password', '--state', 'state']
  const creation = await vidInProcess(account, { cwd, input: `${PERSON.password}\n` })
  expect(creation.code, creation.stderr).toBe(0)
  const env: NodeJS.ProcessEnv = {
    HOME: join(cwd, 'home'),
    HOST_API_URL: server.url,
    HOST_API_KEY: '',
    VID_API_KEY: '',
  }
  const run = (...words: string[]) => vidInProcess(words, { cwd, env })
  return { cwd, env, run, server, credentials: join(cwd, 'home/.host/credentials') }
}

/** Begins a sign-in by the command, and opens its address in a browser. */
const beginLogin = async ({ cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }) => {
  const login = start(['auth', 'login', '--no-browser'], { cwd, env })
  const [, address = ''] = await printed(login, /sign in at: (\S+)\n/)
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  context.setDefaultTimeout(BROWSER_PATIENCE_MS)
  const tab = await context.newPage()
  return { address, tab, done: login.done }
}

const signIn = async (tab: Page, address: string) => {
  await tab.goto(address)
  await tab.getByLabel('E-mail address').fill(PERSON.email)
  await tab.getByLabel('Password').fill(PERSON.password)
  await tab.getByRole('button', { name: 'Sign in' }).click()
}

test('a person refuses, signs in with a browser, renders, publishes, and stays signed in through refreshes', async () => {
  const work = await workplace()
  const { cwd, run, server, credentials } = work
  const refusal = await beginLogin(work)
  await signIn(refusal.tab, refusal.address)
  await refusal.tab.getByRole('button', { name: 'Cancel' }).click()
  await refusal.tab.getByText('not signed in').first().waitFor()
  expect(await refusal.done).toMatchObject({ code: 2, stderr: expect.stringContaining('VID_LOGIN_REFUSED') })
  expect((await run('auth', 'status')).stderr).toContain('VID_CREDENTIALS_MISSING')

  const { address, tab, done } = await beginLogin(work)
  const callback = new URL(new URL(address).searchParams.get('redirect_uri') ?? '')
  // Neither a tab of another sign-in nor the icon that a browser asks for ends this one.
  await tab.goto(`${callback}?code=x&state=of-another-one`)
  expect(await tab.getByRole('heading').textContent()).toBe('Nothing is here')
  expect((await tab.goto(`${callback.origin}/favicon.ico`))?.status()).toBe(404)
  await signIn(tab, address)
  await tab.getByRole('button', { name: 'Allow' }).click()
  await tab.getByText('You can close this tab').waitFor()
  expect(await done).toMatchObject({ code: 0, stdout: `signed in at ${server.url} as ${PERSON.email}\n` })

  const near = await run('render', 'intro', '-q', 'draft', '--raster', 'portable', '-o', 'near.mp4')
  const far = await run('cloud', 'render', 'intro', '-q', 'draft', '-o', 'far.mp4', '--poll-interval', '0.2')
  const target = await vid(['render', 'intro', '-q', 'draft', '-o', 'target.mp4', '--target', 'cloud'], work)
  for (const { code, stderr } of [near, far, target]) expect(code, stderr).toBe(0)
  const [expected, ...videos] = await Promise.all(
    ['near', 'far', 'target'].map((name) => readFile(join(cwd, `${name}.mp4`))),
  )
  for (const bytes of videos) expect(expected?.equals(bytes)).toBe(true)

  // The token is no longer taken: all of them refresh it at once, and it can be refreshed once.
  const stored = JSON.parse(await readFile(credentials, 'utf8')) as { oauth: object }
  const refused = { ...stored, oauth: { ...stored.oauth, access_token: 'no-longer-valid' } }
  await writeFile(credentials, JSON.stringify(refused))
  const users = await Promise.all([1, 2, 3].map(() => vid(['auth', 'status'], work)))
  for (const { code, stdout, stderr } of users)
    expect([code, stdout], stderr).toEqual([0, expect.stringContaining(PERSON.email)])

  const published = await run('publish', 'intro', '--title', 'Our <b>intro</b>', '--poll-interval', '0.2')
  expect(published.code, published.stderr).toBe(0)
  await tab.goto(published.stdout.trim())
  expect(await tab.getByRole('heading', { level: 1 }).textContent()).toBe('Our <b>intro</b>')
  const id = /^pub_\w+/.exec((await run('publish', '--list')).stdout)?.[0] ?? ''
  expect((await run('publish', '--unpublish', id)).code).toBe(0)
  expect((await tab.goto(published.stdout.trim()))?.status()).toBe(404)

  const { oauth } = JSON.parse(await readFile(credentials, 'utf8')) as { oauth: { access_token: string } }
  expect((await run('auth', 'logout')).code).toBe(0)
  const authorization = `Bearer ${oauth.access_token}`
  const isTaken = async () => (await fetch(`${server.url}/v3/users/me`, { headers: { authorization } })).status
  // The server believes what it has found out for a few seconds.
  await expect.poll(isTaken).toBe(401)
})

test('a server that is killed and started again in the middle of a render costs nothing', async () => {
  const { cwd, env, server } = await workplace()
  const created = await vidInProcess(['cloud', 'keys', 'create', PERSON.email, '--state', 'state'], { cwd })
  const key = created.stdout.trim()
  const words = ['cloud', 'render', 'intro', '-q', 'draft', '-o', 'far.mp4', '--poll-interval', '0.2']
  const run = start(words, { cwd, env: { ...env, HOST_API_KEY: key } })
  await printed(run, /submitted: render_/)
  server.child.kill('SIGKILL')
  await once(server.child, 'exit')
  await printed(run, /asking again/)
  await serve(cwd, server.port)
  const { code, stdout, stderr } = await run.done
  expect([code, stdout], stderr).toEqual([0, 'far.mp4\n'])
  for (const output of [stdout, stderr]) expect(output).not.toContain(key)
})
