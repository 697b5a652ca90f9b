// Renders hostile compositions on a hosted API beside those of another account, and looks for what they reach, stop or leave: npm run lab -- cloud-attacks.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readManifest, writeProjectZip } from '@vid/project'
import { descendants, isAlive, kill, waitFor } from '../../../../e2e/long/support/processes.mjs'
import { connectCloud } from './client.mjs'
import { makeAccount, page, startCloud } from './server.mjs'

const { values: flags } = parseArgs({
  options: { only: { type: 'string', default: '' }, help: { type: 'boolean', default: false } },
})
if (flags.help) {
  console.log(`npm run lab -- cloud-attacks [--only TEXT]

Each hostile composition is rendered beside a good one of another account; --only runs those whose names contain a text.`)
  process.exit()
}
const STRIKE_MS = 60_000
const work = mkdtempSync(join(tmpdir(), 'vid-cloud-attacks-'))
const places = { cwd: join(work, 'cwd'), temp: join(work, 'temp') }
for (const folder of Object.values(places)) mkdirSync(folder)
/** What must not be reached: a server of this machine. */
const reached = []
const canary = createServer((request, response) => {
  reached.push(request.url)
  response.end('secret')
})
await new Promise((resolve) => canary.listen(0, '127.0.0.1', resolve))
const canaryUrl = `http://127.0.0.1:${canary.address().port}`

const zipOf = async (html, name) => {
  const folder = join(work, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.html'), html)
  const zip = join(work, `${name}.zip`)
  await writeProjectZip(folder, await readManifest(folder), zip)
  return readFileSync(zip)
}
const hostile = (code) => page('red', 8).replace('</body>', `<script>${code}</script></body>`)
const failing = [
  'VID_CLOUD_TIMEOUT',
  'VID_PAGE_UNRESPONSIVE',
  'VID_PAGE_CRASHED',
  'VID_BROWSER_CRASHED',
  'VID_CLOUD_GAVE_UP',
]

/** Each attack: a page, the codes with which it may fail besides completing, and what is struck meanwhile. */
const attacks = {
  'a page that loops for ever': { html: hostile('for (;;);'), mustFail: true, codes: failing },
  'a page that takes all memory': {
    html: hostile('const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()))'),
    mustFail: true,
    codes: failing,
  },
  'a page whose browser is killed': { html: page('red', 12), codes: failing, strike: /headless_shell --/ },
  'an encoder that is killed': {
    html: page('red', 12),
    codes: ['VID_ENCODER_KILLED', 'VID_FFMPEG_FAILED'],
    strike: /ffmpeg.*rawvideo/,
  },
  'a page that asks for servers and files of the machine': {
    html: hostile(`
      for (const url of ['${canaryUrl}/image', 'http://localhost:${canary.address().port}/name', 'file:///etc/passwd'])
        { const image = new Image(); image.src = url; document.body.append(image); fetch(url).catch(() => {}) }
      new WebSocket('${canaryUrl.replace('http', 'ws')}/socket')`),
    codes: ['VID_NETWORK_BLOCKED', 'VID_MEDIA_MISSING'],
  },
  'a page that says what its server is called': {
    html: page('red', 1).replace(
      '</body>',
      `<img src="${canaryUrl}/declared"><video src="${canaryUrl}/video.mp4" data-start="0" data-duration="1"></video></body>`,
    ),
    codes: ['VID_MEDIA_MISSING', 'VID_MEDIA_UNREACHABLE', 'VID_SOURCE_REFUSED', 'VID_MEDIA_BROKEN'],
  },
}

let run = 0
let bad = 0
const server = await startCloud(places, [
  '--port',
  '0',
  '--state',
  'state',
  '--render-timeout',
  '40',
  '--max-concurrent-renders',
  '2',
])
try {
  const villain = connectCloud(server.url, await makeAccount(places, 'state', {}))
  const victim = connectCloud(server.url, await makeAccount(places, 'state', {}))
  const submit = async (client, zip) => {
    const { body } = await client.upload(zip)
    const project = { type: 'asset_id', asset_id: body.data.asset_id }
    return (await client.submit({ project, quality: 'draft' })).body
  }
  const good = await zipOf(page('blue', 0.2), 'good')
  for (const [name, { html, codes, mustFail = false, strike }] of Object.entries(attacks)) {
    if (!name.includes(flags.only)) continue
    run += 1
    const wrong = []
    const zip = await zipOf(html, `attack-${run}`)
    const submitted = await submit(villain, zip)
    const id = submitted.data?.render_id
    if (strike)
      await waitFor(() => {
        const victims = descendants(server.pid).filter(({ command }) => strike.test(command))
        for (const victim of victims.slice(0, 1)) kill(victim.pid)
        return victims.length > 0
      }, STRIKE_MS)
    const other = await submit(victim, good)
    const neighbour = await victim.ended(other.data.render_id)
    if (neighbour.status !== 'completed') wrong.push(`the other account got ${JSON.stringify(neighbour).slice(0, 300)}`)
    if ((await victim.get(id)).status !== 404) wrong.push('the other account sees the render')
    const ended = id ? await villain.ended(id) : { status: 'failed', failure_code: submitted.error.code }
    const isKnown = ended.status === 'completed' ? !mustFail : codes.includes(ended.failure_code)
    if (!isKnown) wrong.push(`ended as ${JSON.stringify(ended).slice(0, 400)}`)
    if (/\/(tmp|root|home|usr)\//.test(ended.failure_message ?? ''))
      wrong.push(`it tells a path: ${ended.failure_message}`)
    if (reached.length > 0) wrong.push(`it reached ${reached.splice(0).join(', ')}`)
    bad += wrong.length > 0 ? 1 : 0
    console.log(`${wrong.length > 0 ? 'WRONG' : 'ok   '} ${name}: ${ended.status} ${ended.failure_code ?? ''}`)
    for (const problem of wrong) console.log(`        ${problem}`)
  }
  const children = descendants(server.pid)
  server.child.kill('SIGTERM')
  const { code } = await server.done
  await waitFor(() => !children.some(isAlive), 5000)
  const left = [
    ...children.filter(isAlive).map(({ command }) => `still runs: ${command.slice(0, 100)}`),
    ...readdirSync(places.temp).filter((name) => name.startsWith('vid-')),
    ...readdirSync(join(places.cwd, 'state/work')),
    ...(code === 0 ? [] : [`the server ended with ${code}`]),
  ]
  for (const problem of left) console.log(`WRONG left over: ${problem}`)
  bad += left.length
} finally {
  server.child.kill('SIGKILL')
  canary.close()
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
console.log(`${run} attacks, ${bad} wrong`)
process.exitCode = bad > 0 ? 1 : 0
