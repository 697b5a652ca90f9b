// Compares a tiny render through a warm hosted API with the same render in this process, and times replies while it renders: npm run lab -- cloud-overhead.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readManifest, writeProjectZip } from '@vid/project'
import { createRenderer } from '@vid/render'
import { connectCloud, pause, sha256 } from './client.mjs'
import { makeAccount, page, startCloud } from './server.mjs'

const { values: flags } = parseArgs({
  options: {
    count: { type: 'string', default: '11' },
    seconds: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  console.log(`npm run lab -- cloud-overhead [--count 11] [--seconds 20]

Medians of interleaved renders, from the submission to the downloaded file, asking every 50 ms; nothing is reused. Then 100 requests
a second for the state of a render while it renders.`)
  process.exit()
}
const sorted = (values) => values.toSorted((one, other) => one - other)
const median = (values) => sorted(values)[Math.floor(values.length / 2)]
const work = mkdtempSync(join(tmpdir(), 'vid-cloud-overhead-'))
const places = { cwd: join(work, 'cwd'), temp: join(work, 'temp') }
const projectDir = join(work, 'project')
for (const folder of [...Object.values(places), projectDir]) mkdirSync(folder)
writeFileSync(join(projectDir, 'index.html'), page('teal', 0.1))
const zip = join(work, 'project.zip')
await writeProjectZip(projectDir, await readManifest(projectDir), zip)
const longDir = join(work, 'long')
mkdirSync(longDir)
writeFileSync(join(longDir, 'index.html'), page('navy', 120))
const longZip = join(work, 'long.zip')
await writeProjectZip(longDir, await readManifest(longDir), longZip)

const env = { VID_CACHE: 'off' }
const server = await startCloud(places, ['--port', '0', '--state', 'state', '--max-concurrent-renders', '1'], env)
const key = await makeAccount(places, 'state', env)
const client = connectCloud(server.url, key)
const renderer = await createRenderer({
  cwd: places.cwd,
  env: { ...process.env, ...env },
  configFrom: 'cwd',
  isolated: true,
})
try {
  const uploaded = await client.upload(readFileSync(zip))
  if (uploaded.status !== 200) throw new Error(JSON.stringify(uploaded.body))
  const project = { type: 'asset_id', asset_id: uploaded.body.data.asset_id }
  const digests = new Set()
  const output = join(work, 'alone.mp4')
  const ways = {
    alone: async () => {
      await renderer.render({ projectDir, output, resolution: '1080x1080', network: 'declared', force: true })
      digests.add(sha256(readFileSync(output)))
    },
    api: async () => {
      const { body } = await client.submit({ project })
      digests.add(sha256(await client.download(await client.ended(body.data.render_id, 50))))
    },
  }
  const times = { alone: [], api: [] }
  for (const render of Object.values(ways)) await render()
  for (let round = 0; round < Number(flags.count); round++)
    for (const [name, render] of Object.entries(ways)) {
      const startedMs = performance.now()
      await render()
      times[name].push(performance.now() - startedMs)
    }
  for (const [name, all] of Object.entries(times))
    console.log(
      `${name.padEnd(6)} ${median(all).toFixed(0).padStart(5)} ms  ${(median(all) / median(times.alone)).toFixed(2)} ×`,
    )
  if (digests.size !== 1) throw new Error('the bytes differ')

  const long = (await client.upload(readFileSync(longZip))).body.data.asset_id
  const { body } = await client.submit({ project: { type: 'asset_id', asset_id: long } })
  const id = body.data.render_id
  while ((await client.get(id)).body.data.frames_rendered === 0) await pause(100)
  const replies = []
  const asking = []
  const endMs = performance.now() + Number(flags.seconds) * 1000
  for (let timeMs = performance.now(); timeMs < endMs; timeMs += 10) {
    await pause(Math.max(0, timeMs - performance.now()))
    const startedMs = performance.now()
    asking.push(
      client.get(id).then(({ status }) => {
        if (status !== 200) throw new Error(`status ${status}`)
        replies.push(performance.now() - startedMs)
      }),
    )
  }
  await Promise.all(asking)
  const all = sorted(replies)
  const quantile = (share) => all[Math.min(all.length - 1, Math.floor(all.length * share))].toFixed(0)
  console.log(
    `${all.length} states while it renders: median ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, longest ${quantile(1)} ms`,
  )
  await client.ask('DELETE', `/v3/vid/renders/${id}`)
} finally {
  await renderer.close()
  server.child.kill('SIGTERM')
  await server.done
  rmSync(work, { recursive: true, force: true })
}
