// Renders one video of a minute on three workers, and looks whether all of them worked and the bytes are those of a local render: npm run lab -- cloud-spread.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readManifest, writeProjectZip } from '@vid/project'
import { connectCloud, sha256 } from './client.mjs'
import { startPostgres } from './postgres.mjs'
import { makeAccount, page, startCloud, startIn } from './server.mjs'

const WORKERS = 3
const work = mkdtempSync(join(tmpdir(), 'vid-cloud-spread-'))
const places = { cwd: join(work, 'cwd'), temp: join(work, 'temp') }
const projectDir = join(work, 'project')
for (const folder of [...Object.values(places), projectDir]) mkdirSync(folder)
writeFileSync(join(projectDir, 'index.html'), page('purple', 60))
const zip = join(work, 'project.zip')
await writeProjectZip(projectDir, await readManifest(projectDir), zip)
const postgres = await startPostgres()
const env = { DATABASE_URL: postgres.url }
const servers = []
let problem
try {
  const shared = ['--port', '0', '--state', join(work, 'state')]
  servers.push(await startCloud(places, ['--role', 'api', ...shared], env))
  for (let number = 0; number < WORKERS; number++)
    servers.push(await startCloud(places, ['--role', 'worker', '--max-concurrent-renders', '1', ...shared], env))
  const key = await makeAccount(places, join(work, 'state'), env)
  const client = connectCloud(servers[0].url, key)
  const uploaded = await client.upload(readFileSync(zip))
  if (uploaded.status !== 200) throw new Error(JSON.stringify(uploaded.body))
  const project = { type: 'asset_id', asset_id: uploaded.body.data.asset_id }
  const startedMs = performance.now()
  const { body } = await client.submit({ project, quality: 'draft' })
  const record = await client.ended(body.data.render_id, 500)
  console.log(`${record.status} after ${Math.round((performance.now() - startedMs) / 1000)} s`)
  const output = join(work, 'local.mp4')
  const words = ['-o', output, '--quality', 'draft', '--resolution', '1080x1080', '--network', 'declared']
  const local = await startIn(places, ['render', projectDir, '--raster', 'portable', ...words]).done
  if (local.code !== 0) throw new Error(local.stderr)
  const counts = servers
    .slice(1)
    .map(
      ({ lines }) => lines.filter((line) => /"msg":"a job is done"/.test(line) && /"kind":"segment"/.test(line)).length,
    )
  console.log(`segments of each worker: ${counts.join(', ')}`)
  if (record.status !== 'completed') problem = JSON.stringify(record)
  else if (counts.some((count) => count === 0)) problem = 'a worker had nothing to do'
  else if (sha256(await client.download(record)) !== sha256(readFileSync(output))) problem = 'the bytes differ'
} finally {
  for (const { child, done } of servers) {
    child.kill('SIGTERM')
    await done
  }
  await postgres.close()
  rmSync(work, { recursive: true, force: true })
}
console.log(problem ?? 'same bytes as the local render')
process.exitCode = problem ? 1 : 0
