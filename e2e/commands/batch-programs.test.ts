import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { frameHashes } from '@vid/ffmpeg'
import pg from 'pg'
import PgBoss from 'pg-boss'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { hasPostgres, type Postgres, startPostgres } from '../../packages/services/cloud/lab/postgres.mjs'
import { filesIn, readPage } from '../support/page-examples.ts'
import { outside, outsideWith } from '../support/toolkit.ts'
import { here } from '../support/vid.ts'

// The programs of the page run as they are written there, with the composition of the page before it.
/** The whole programs of a page, by a package that each imports. */
const programs = new Map<string, string>()
let postgres: Postgres | undefined
let folder: string

beforeAll(async () => {
  const text = await readPage('batch-programs.md')
  for (const [, program = ''] of text.matchAll(/^```ts\n(.*?)^```$/gms))
    programs.set([...program.matchAll(/from '([^']+)'/g)].at(-1)?.[1] ?? '', program)
  folder = await mkdtemp(join(tmpdir(), 'vid-programs-'))
  const [page] = filesIn(await readPage('variables-and-batch.md'))
  await mkdir(join(folder, 'card'))
  await writeFile(join(folder, 'card/index.html'), page?.html ?? '')
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  if (hasPostgres) postgres = await startPostgres()
})
afterAll(async () => {
  await postgres?.close()
  await rm(folder, { recursive: true, force: true })
})

const rows = [
  { name: 'Ada', points: 40 },
  { name: 'Grace', points: 85 },
]

/** The videos that a program has made; each has a second of frames. */
const videos = async (): Promise<string[]> => {
  const out = join(folder, 'out')
  const names = (await readdir(out)).filter((name) => name.endsWith('.mp4')).sort()
  for (const name of names) expect((await frameHashes(join(out, name))).length, name).toBe(30)
  return names.map((name) => basename(name, '.mp4'))
}

/** Writes the program of the page that imports a package, without the videos of another one; resolves to its path. */
const write = async (library: string): Promise<string> => {
  await rm(join(folder, 'out'), { recursive: true, force: true })
  const path = join(folder, `${library}.mjs`)
  await writeFile(path, programs.get(library) ?? '')
  return path
}

test('the page has a program for a table, for a database and for a queue', () => {
  expect([...programs.keys()]).toEqual(['csv-parse', 'pg-query-stream', 'pg-boss'])
})

test('rows of a CSV file', async () => {
  await writeFile(join(folder, 'people.csv'), ['name,points', ...rows.map((row) => Object.values(row))].join('\n'))
  const run = () => write('csv-parse').then((path) => outside(folder, process.execPath, path))
  const { code, stdout, stderr } = await run()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^0 completed .*Ada\.mp4\n1 completed .*Grace\.mp4\n$/)
  expect(await videos()).toEqual(['Ada', 'Grace'])
})

test.runIf(hasPostgres)('rows of a database', async () => {
  const client = new pg.Client(postgres?.url)
  await client.connect()
  await client.query('CREATE TABLE people (name text, points int)')
  for (const { name, points } of rows) await client.query('INSERT INTO people VALUES ($1, $2)', [name, points])
  await client.end()
  const { host, user } = client
  const path = await write('pg-query-stream')
  const env = { PGHOST: host, PGUSER: user, PGDATABASE: 'postgres' }
  expect(await outsideWith(env, folder, process.execPath, path)).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await videos()).toEqual(['Ada', 'Grace'])
})

test.runIf(hasPostgres)('jobs of a queue, until it is stopped', async () => {
  const queue = new PgBoss(postgres?.url ?? '')
  await queue.start()
  onTestFinished(() => queue.stop({ graceful: false }))
  await queue.createQueue('cards')
  const good = await queue.send('cards', { name: 'Ada', points: 40 })
  // No text.
  const bad = await queue.send('cards', { name: ['Ada'] }, { retryLimit: 0 })
  const child = spawn(process.execPath, [await write('pg-boss')], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: postgres?.url },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = once(child, 'close')
  const stateOf = async (id: string | null) => (await queue.getJobById('cards', id ?? ''))?.state
  await expect.poll(async () => [await stateOf(good), await stateOf(bad)]).toEqual(['completed', 'failed'])
  expect(await videos()).toEqual([good])
  child.kill('SIGTERM')
  expect([...(await ended), stderr]).toEqual([0, null, ''])
})
