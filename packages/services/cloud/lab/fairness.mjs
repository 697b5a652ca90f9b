// Lets one account fill every slot of a hosted API with slow videos, and measures how long another one waits: npm run lab -- cloud-fairness.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readManifest, writeProjectZip } from '@vid/project'
import { waitFor } from '../../../../e2e/long/support/processes.mjs'
import { connectCloud, pause } from './client.mjs'
import { makeAccount, page, startCloud, vidJson } from './server.mjs'

const { values: flags } = parseArgs({
  options: {
    slots: { type: 'string', default: '4' },
    videos: { type: 'string', default: '6' },
    rounds: { type: 'string', default: '3' },
    wait: { type: 'string', default: '120' },
    most: { type: 'string', default: '45' },
    'waits-only': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  console.log(`npm run lab -- cloud-fairness [--slots 4] [--videos 6] [--rounds 3] [--wait 120] [--most 45] [--waits-only]

One account submits videos of 240 frames in 4K that take minutes each, until all slots are taken. Then another account submits a
video of a second, several times: it may wait --most seconds for its start. The slow videos must go on as well, and then end with a
code by the limits of their account. --wait bounds how long is waited at all; --waits-only leaves the limits out.`)
  process.exit()
}
const [slots, videos, rounds, waitSeconds, mostSeconds] = ['slots', 'videos', 'rounds', 'wait', 'most'].map((name) =>
  Number(flags[name]),
)
const START_MS = 180_000
const WARM_UP_MS = 20_000
const LAST_MS = 30_000
const work = mkdtempSync(join(tmpdir(), 'vid-cloud-fairness-'))
const places = { cwd: join(work, 'cwd'), temp: join(work, 'temp') }
for (const folder of Object.values(places)) mkdirSync(folder)

const slow = `<!doctype html><body style="margin:0">
<div data-composition-id="root" data-width="3840" data-height="2160" data-duration="1" style="width:3840px;height:2160px;background:navy">
${Array.from({ length: 6 }, (_, index) => `<div style="position:absolute;inset:0;background:hsl(${index * 9} 80% 50% / 10%);filter:blur(${10 + index}px) hue-rotate(20deg);animation:turn 1s linear"></div>`).join('\n')}
</div><style>@keyframes turn { to { transform: rotate(30deg) } }</style></body>`

const zipOf = async (html, name) => {
  const folder = join(work, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.html'), html)
  const zip = join(work, `${name}.zip`)
  await writeProjectZip(folder, await readManifest(folder), zip)
  return readFileSync(zip)
}
const wrong = []
const secondsSince = (startMs) => Number(((performance.now() - startMs) / 1000).toFixed(1))

const words = ['--port', '0', '--state', 'state', '--max-concurrent-renders', String(slots)]
const server = await startCloud(places, words)
try {
  const greedy = connectCloud(server.url, await makeAccount(places, 'state', {}))
  const other = connectCloud(server.url, await makeAccount(places, 'state', {}))
  const assetOf = async (client, html, name) => (await client.upload(await zipOf(html, name))).body.data.asset_id
  const submit = async (client, assetId, fields) => {
    const { status, body } = await client.submit({
      project: { type: 'asset_id', asset_id: assetId },
      ...fields,
    })
    if (status !== 202) throw new Error(JSON.stringify(body))
    return body.data.render_id
  }
  const read = async (client, id) => {
    const { status, body } = await client.get(id)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.data
  }
  const slowAsset = await assetOf(greedy, slow, 'slow')
  const ids = []
  for (let index = 0; index < videos; index += 1)
    ids.push(await submit(greedy, slowAsset, { fps: 240, resolution: '4k', quality: 'draft' }))
  const greedyRecords = () => Promise.all(ids.map((id) => read(greedy, id)))
  const areRunning = await waitFor(async () => {
    await pause(500)
    const running = (await greedyRecords()).filter(({ status }) => status === 'rendering')
    return running.length >= Math.min(slots, videos)
  }, START_MS)
  if (!areRunning) throw new Error('the slow videos do not take all slots')
  await pause(WARM_UP_MS)

  const shortAsset = await assetOf(other, page('teal', 1), 'short')
  for (let round = 1; round <= rounds; round += 1) {
    const startMs = performance.now()
    const id = await submit(other, shortAsset, { quality: 'draft' })
    let startedAfter
    while (secondsSince(startMs) < waitSeconds) {
      const { status } = await read(other, id)
      if (status !== 'queued') startedAfter ??= secondsSince(startMs)
      if (['completed', 'failed'].includes(status)) break
      await pause(100)
    }
    const { status } = await read(other, id)
    const frames = (await greedyRecords()).map(({ status, frames_rendered: count }) => `${status} ${count}`)
    const outcome = status === 'completed' ? `done after ${secondsSince(startMs)} s` : status
    console.log(
      `round ${round}: waited ${startedAfter ?? `more than ${waitSeconds}`} s for its start, ${outcome}; slow videos: ${frames.join(', ')}`,
    )
    if (!(startedAfter <= mostSeconds)) wrong.push(`round ${round} waited ${startedAfter ?? 'without end'}`)
    if (status !== 'completed') wrong.push(`round ${round} is ${status}`)
  }

  if (!flags['waits-only']) {
    const accounts = (await vidJson(places, ['cloud', 'accounts', 'list', '--state', 'state'])).accounts
    const { user_id: account } = (await greedy.ask('GET', '/v3/users/me')).body.data
    if (!accounts.some(({ id }) => id === account)) throw new Error(`no account ${account}`)
    const limits = ['--max-frame-seconds', '0.1', '--max-render-seconds', '600', '--state', 'state']
    await vidJson(places, ['cloud', 'accounts', 'change', account, ...limits])
    const ended = await Promise.all(ids.map((id) => greedy.ended(id, 500)))
    console.log(`slow videos ended as: ${ended.map(({ status, failure_code: code }) => code ?? status)}`)
    for (const { status, failure_code: code } of ended)
      if (status !== 'failed' || code !== 'VID_CLOUD_FRAME_COST') wrong.push(`a slow video ended as ${status} ${code}`)
  }
  for (const id of ids) await greedy.ask('DELETE', `/v3/vid/renders/${id}`)
} finally {
  server.child.kill('SIGTERM')
  await Promise.race([server.done, pause(LAST_MS)])
  server.child.kill('SIGKILL')
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
for (const problem of wrong) console.log(`WRONG ${problem}`)
console.log(`${rounds} rounds, ${wrong.length} wrong`)
process.exitCode = wrong.length > 0 ? 1 : 0
