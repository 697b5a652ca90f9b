import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findBrowser } from '@vid/browser'
import puppeteer from 'puppeteer-core'
import { expect, onTestFinished, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'
import { printed, scratch, start, vid } from '../support/vid.ts'

const PASSWORD = 'a long password'

const openPage = async () => {
  const { path, env } = await findBrowser()
  const browser = await puppeteer.launch({
    executablePath: path,
    headless: 'shell',
    pipe: true,
    env: { ...process.env, ...env },
    args: ['--no-sandbox', '--disable-gpu'],
    timeout: BROWSER_PATIENCE_MS,
  })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(BROWSER_PATIENCE_MS)
  return page
}

test('a person signs in at a server of their own in a browser, and stays signed in until they sign out', async () => {
  const cwd = await scratch()
  const server = start(['cloud', 'serve', '--port', '0', '--role', 'api', '--json'], { cwd })
  const [line] = await printed(server, /^.*"cloud-start".*\n/m)
  const { url } = JSON.parse(line) as { url: string }
  const email = 'mia@example.com'
  const account = await vid(['cloud', 'accounts', 'create', '--email', email, '--password', '--no-key'], {
    cwd,
    input: `${PASSWORD}\n`,
  })
  expect(account).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^account user_\w+\n$/) })

  const envOf = (home: string) => ({
    HOME: join(cwd, home),
    HOST_API_URL: url,
    HOST_API_KEY: '',
    VID_API_KEY: '',
  })
  const run = (words: string, home = 'home') => vid(words.split(' '), { cwd, env: envOf(home) })
  await mkdir(join(cwd, 'home'))
  const login = start(['auth', 'login', '--no-browser'], { cwd, env: envOf('home') })
  const [, address = ''] = await printed(login, /sign in at: (\S+)\n/)
  const page = await openPage()
  const submit = (selector: string) => Promise.all([page.waitForNavigation(), page.click(selector)])
  const signIn = async (password: string) => {
    await page.type('input[name=password]', password)
    await submit('form[action$=sign-in] button')
  }
  await page.goto(address)
  await page.type('input[name=email]', email)
  await signIn('another password')
  expect(await page.$eval('.problem', (element) => element.textContent)).toContain('the password is wrong')
  await signIn(PASSWORD)
  expect(await page.$eval('main', (element) => element.textContent)).toContain(email)
  await submit('form[action$=allow] button')
  expect(await page.$eval('body', (element) => element.textContent)).toContain('You can close this tab')
  expect(await login.done).toMatchObject({ code: 0, stdout: `signed in at ${url} as ${email}\n` })
  for (const secret of [PASSWORD, 'another password', new URL(page.url()).searchParams.get('code') ?? 'no code'])
    expect(server.text.stderr + login.text.stderr).not.toContain(secret)

  // Two processes with one file take turns; a copy of the file elsewhere knows nothing of them.
  const both = await Promise.all([run('auth refresh'), run('auth refresh')])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  await cp(join(cwd, 'home'), join(cwd, 'copy'), { recursive: true })
  const apart = await Promise.all([run('auth refresh'), run('auth refresh', 'copy')])
  expect(apart.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ])
  for (const home of ['home', 'copy']) expect((await run('auth status', home)).stdout).toContain(email)

  expect((await run('auth logout')).code).toBe(0)
  // Signing out ends the login, of which the copy is a part.
  expect((await run('auth refresh', 'copy')).code).not.toBe(0)
  server.child.kill('SIGTERM')
  expect((await server.done).code).toBe(0)
})
