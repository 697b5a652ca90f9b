import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, test as always, beforeAll, expect } from 'vitest'
import { hasPostgres, type Postgres, startPostgres } from '../../packages/services/cloud/lab/postgres.mjs'
import { longTest } from '../../scripts/dev/part-of.ts'
import { ASK_EVERY_MS, printed, scratch, start, until, vidInProcess } from '../support/vid.ts'

const page = `<!doctype html><style>body { margin: 0; background: #204060 }</style>
<div data-composition-id="root" data-width="64" data-height="64" data-duration="0.1" data-no-timeline></div>`

/** A config of the operator whose renders wait for a file before they open a page. */
const config = `import { existsSync } from 'node:fs'
const gate = process.env.TEST_GATE
const opened = async () => {
  while (gate && !existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 20))
}
const waiting = {
  role: 'plugin',
  apiVersion: 1,
  name: 'waiting',
  options: {},
  setup(hooks) {
    hooks.capture.tapPromise({ name: 'waiting', stage: -1 }, opened)
  },
}
export default { plugins: [waiting] }`

const test = always.runIf(hasPostgres)

let postgres: Postgres | undefined
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres()
})
afterAll(() => postgres?.close())

interface Serving {
  readonly state: string
  readonly gate?: string
  readonly role?: 'api' | 'all'
  readonly drainSeconds?: number
}

/** A folder with a composition, and processes of a hosted API that share a Postgres and a storage. */
const openInstallation = async () => {
  const cwd = await scratch()
  await mkdir(join(cwd, 'intro'))
  await writeFile(join(cwd, 'intro/index.html'), page)
  await writeFile(join(cwd, 'vid.config.mjs'), config)
  const serve = async ({ state, gate = '', role = 'all', drainSeconds = 0 }: Serving) => {
    const words = `cloud serve --port 0 --json --state ${state} --storage files --role ${role} --drain-timeout ${drainSeconds}`
    const env = { DATABASE_URL: postgres?.url, TEST_GATE: gate }
    const server = start(words.split(' '), { cwd, env })
    const [line] = await printed(server, /^.*"cloud-start".*\n/m)
    const { url, apiKey } = JSON.parse(line) as { url: string; apiKey?: string }
    return { ...server, url, apiKey }
  }
  const key = async () => {
    const env = { DATABASE_URL: postgres?.url }
    const run = async (...words: string[]) => {
      const { code, stdout, stderr } = await vidInProcess(['cloud', ...words, '--json'], { cwd, env })
      expect(code, stderr).toBe(0)
      return JSON.parse(stdout)
    }
    const { account } = await run('accounts', 'create', '--name', 'ann')
    return (await run('keys', 'create', account.id)).secret as string
  }
  /** Submits a render; resolves to its id when a worker has it. */
  const submit = async (url: string, apiKey: string) => {
    const env = { HOST_API_URL: url, HOST_API_KEY: apiKey, HOME: cwd }
    const { code, stdout, stderr } = await vidInProcess(['cloud', 'render', 'intro', '-q', 'draft', '--no-wait'], {
      cwd,
      env,
    })
    expect(code, stderr).toBe(0)
    const id = stdout.trim()
    await reaches(url, apiKey, id, 'rendering')
    return id
  }
  return { serve, key, submit }
}

/** Waits until a render has a state. */
const reaches = (url: string, apiKey: string, id: string, status: string) =>
  until(
    async () => {
      const reply = await fetch(`${url}/v3/vid/renders/${id}`, { headers: { 'x-api-key': apiKey } })
      const { data } = (await reply.json()) as { data: { status: string } }
      expect(['queued', 'rendering', status]).toContain(data.status)
      return data.status === status ? true : undefined
    },
    undefined,
    ASK_EVERY_MS,
  )

test('a process that is told to stop says that it is not ready until its render has ended, and ends with 0', async () => {
  const { serve, key, submit } = await openInstallation()
  const gate = join(await scratch(), 'gate')
  const server = await serve({ state: 'one', gate, drainSeconds: 3600 })
  const apiKey = await key()
  const id = await submit(server.url, apiKey)
  server.child.kill('SIGTERM')
  const ready = () => fetch(`${server.url}/ready`)
  const refusal = await until(async () => {
    const reply = await ready()
    return reply.status === 503 ? reply : undefined
  })
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  await writeFile(gate, '')
  expect(await server.done).toMatchObject({ code: 0 })
  await expect(ready()).rejects.toThrow()
  // Nothing else renders.
  const other = await serve({ state: 'two', role: 'api' })
  await reaches(other.url, apiKey, id, 'completed')
})

test('a server without renders says that it is not ready before it stops to answer', async () => {
  const { serve } = await openInstallation()
  const server = await serve({ state: 'one', role: 'api' })
  // A connection that is kept would be closed when the drain begins.
  const headers = { connection: 'close' }
  const ready = () => fetch(`${server.url}/ready`, { headers }).then(({ status }) => status)
  expect(await ready()).toBe(200)
  server.child.kill('SIGTERM')
  expect(await until(async () => ((await ready()) === 503 ? true : undefined))).toBe(true)
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  expect(await server.done).toMatchObject({ code: 0 })
  await expect(ready()).rejects.toThrow()
})

longTest('a render that does not end in the time of a drain is handed to another worker', async () => {
  const { serve, key, submit } = await openInstallation()
  const server = await serve({ state: 'one', gate: join(await scratch(), 'never'), drainSeconds: 1 })
  const apiKey = await key()
  const id = await submit(server.url, apiKey)
  server.child.kill('SIGTERM')
  const { code, stderr } = await server.done
  expect(code, stderr).toBe(0)
  const other = await serve({ state: 'two' })
  await reaches(other.url, apiKey, id, 'completed')
  expect(other.text.stderr).not.toContain('a worker is lost')
})
