// Sends a thousand requests to one render server, and looks for any that is lost, doubled or out of order: npm run lab -- producer-soak.
import { fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readManifest, writeProjectZip } from '@vid/project'
import { randomOf } from '../../../../e2e/long/fuzz/random.mjs'
import { descendants, isAlive, waitFor } from '../../../../e2e/long/support/processes.mjs'
import { path } from '../../../../scripts/workspaces.mjs'
import { connect, formOf, jsonOf } from './client.mjs'
import { holdings, listed, logOf, makePlaces, page, startServer } from './server.mjs'

const { values: flags } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '50' },
    renders: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  console.log(`npm run lab -- producer-soak [--count 1000] [--connections 50] [--renders 2] [--seed 1]

Fills the queue of one server from many connections, some of which leave, cancel or send nonsense. Each other request
must be rendered once, in the order of acceptance, with the bytes of its composition; nothing may be left over.`)
  process.exit()
}
const [count, connections, seed] = [flags.count, flags.connections, flags.seed].map(Number)
const COLOURS = 12
const WAIT_MS = 4 * 3600_000

const colourOf = (number) => `rgb(${20 * number}, ${240 - 20 * number}, ${(number * 67) % 256})`
/** What becomes of a request; those that hold their connection until the end come last on it. */
const fateOf = (random, isLast) => {
  if (isLast) return random.pick(['stream', 'wait'])
  return random.pick([
    ...Array(13).fill('async'),
    'cancel',
    'cancel',
    'leave-stream',
    'leave-wait',
    'malformed',
    'leave-upload',
  ])
}

const malformed = (random) =>
  random.pick([
    { headers: { 'content-type': 'application/json' }, body: '{"html": "unfinished' },
    jsonOf({ html: page('red'), projectDir: 'c0' }),
    jsonOf({ projectDir: '../..' }),
    jsonOf({ html: page('red'), fps: -1 }),
    formOf({}, Buffer.from('PK no zip at all')),
    { headers: { 'content-type': 'text/html' }, body: page('red') },
  ])

const work = mkdtempSync(join(tmpdir(), 'vid-soak-'))
const places = makePlaces(work)
const wrong = []
const note = (text) => {
  wrong.push(text)
  console.log(`WRONG ${text}`)
}

const zips = []
for (let colour = 0; colour < COLOURS; colour++) {
  const folder = join(places.root, `c${colour}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.html'), page(colourOf(colour)))
  const zip = join(work, `c${colour}.zip`)
  await writeProjectZip(folder, await readManifest(folder), zip)
  zips.push(readFileSync(zip))
}

const bodyOf = (colour, form) => {
  const settings = { quality: 'draft' }
  if (form === 'zip') return formOf(settings, zips[colour])
  return jsonOf(
    form === 'html' ? { html: page(colourOf(colour)), ...settings } : { projectDir: `c${colour}`, ...settings },
  )
}

const server = await startServer(
  places,
  ['--max-queue', String(count), '--max-concurrent-renders', flags.renders, '--state', places.state],
  { VID_CACHE: 'off' },
)
const ended = new Map()
try {
  const main = connect(server.url)
  // A warm server: its browsers are started, and its code is loaded.
  await Promise.all(
    Array.from({ length: Number(flags.renders) }, (_, index) => {
      const connection = connect(server.url)
      const { headers, body } = bodyOf(index, 'html')
      return connection.send('POST', '/render', { headers, body }).finally(connection.close)
    }),
  )
  const before = holdings(server.pid)
  const control = fork(path('packages/services/producer/lab/control.mjs'))
  const controlUrl = await new Promise((resolve) => control.once('message', resolve))
  const health = fork(path('packages/services/producer/lab/health.mjs'), [server.url, controlUrl])
  let peakMiB = 0
  const watching = setInterval(() => {
    peakMiB = Math.max(peakMiB, holdings(server.pid).memoryMiB)
  }, 1000)

  const plans = []
  for (let number = 0; number < count; number++) {
    const random = randomOf(seed, number)
    const isLast = number >= count - connections
    plans.push({
      number,
      id: `soak-${number}`,
      colour: random.below(COLOURS),
      fate: fateOf(random, isLast),
      form: random.pick(['html', 'folder', 'zip']),
      random,
    })
  }
  const startedMs = performance.now()
  const refused = []
  const cancelled = new Set()
  const runPlan = async ({ id, colour, fate, form, random }, client) => {
    const { headers, body } = fate === 'malformed' ? malformed(random) : bodyOf(colour, form)
    const withId = { ...headers, 'x-request-id': id }
    if (fate === 'async' || fate === 'cancel') {
      const sent = { headers: { ...withId, prefer: 'respond-async' }, body }
      const reply = await client.json('POST', '/render', sent)
      if (reply.status !== 202) note(`${id} was not accepted: ${JSON.stringify(reply)}`)
      if (fate === 'async') return
      const gone = await client.json('DELETE', `/render/${id}`)
      if (gone.status === 200) cancelled.add(id)
      else if (gone.body.error.code !== 'VID_PRODUCER_ENDED') note(`${id}: ${JSON.stringify(gone)}`)
    } else if (fate === 'malformed') {
      const reply = await client.json('POST', '/render', { headers: withId, body })
      refused.push(reply.body?.error?.code)
      if (reply.status < 400 || reply.status > 499) note(`${id} was not refused: ${JSON.stringify(reply)}`)
    } else if (fate.startsWith('leave')) {
      const to = fate === 'leave-stream' ? '/render/stream' : '/render'
      const half = fate === 'leave-upload'
      await client
        .send('POST', to, {
          headers: half ? { ...withId, 'content-length': body.length + 1 } : withId,
          body,
          leaveOn: fate === 'leave-stream' ? 'data' : 'sent',
        })
        .then(({ status }) => note(`${id} should have left, and got ${status}`))
        .catch(() => {})
    } else {
      const reply = await client.send('POST', fate === 'stream' ? '/render/stream' : '/render', {
        headers: withId,
        body,
      })
      const text = reply.bytes.toString()
      const isDone = fate === 'stream' ? text.includes('"type":"complete"') : reply.status === 200
      if (!isDone) note(`${id} did not complete: ${reply.status} ${text.slice(-500)}`)
    }
  }
  let next = 0
  const lane = async () => {
    const client = connect(server.url)
    while (next < plans.length) {
      const plan = plans[next++]
      await runPlan(plan, client).catch((cause) => note(`${plan.id} (${plan.fate}): ${cause.message}`))
    }
    client.close()
  }
  const lanes = Array.from({ length: connections }, lane)
  const queue = async () => (await main.json('GET', '/render/queue')).body
  await waitFor(() => next >= plans.length, WAIT_MS)
  const acceptedMs = performance.now() - startedMs
  const queued = await queue()
  console.log(`all sent after ${Math.round(acceptedMs)} ms; queue ${JSON.stringify(queued)}`)
  await Promise.all(lanes)
  await waitFor(async () => {
    const { activeRenders, queuedRenders } = await queue()
    return activeRenders + queuedRenders === 0
  }, WAIT_MS)
  const seconds = (performance.now() - startedMs) / 1000

  const log = logOf(server)
  const acceptedOrder = log.filter(({ msg }) => msg === 'request accepted').map(({ requestId }) => requestId)
  for (const { requestId, msg, status } of log)
    if (msg === 'request ended') ended.set(requestId, [...(ended.get(requestId) ?? []), status])
  const digests = new Map()
  const states = { completed: 0, cancelled: 0, refused: refused.length, unknown: 0 }
  const starts = []
  for (const { id, colour, fate } of plans) {
    const { status, body } = await main.json('GET', `/render/${id}`)
    if (status === 404) states.unknown += 1
    else states[body.status] = (states[body.status] ?? 0) + 1
    const ends = ended.get(id) ?? []
    if (['async', 'stream', 'wait'].includes(fate)) {
      if (ends.join() !== 'completed') note(`${id} (${fate}) ended as [${ends}]`)
      if (body.status !== 'completed') note(`${id} is ${JSON.stringify(body).slice(0, 600)}`)
    } else if (fate === 'malformed' || fate === 'leave-upload') {
      if (ends.length > 0) note(`${id} (${fate}) was accepted`)
    } else if (ends.length > 1) note(`${id} (${fate}) ended as [${ends}]`)
    if (cancelled.has(id) && ends.join() !== 'cancelled') note(`${id} was cancelled, and ended as [${ends}]`)
    if (body?.startedAt) starts.push([id, body.startedAt])
    if (body?.status !== 'completed') continue
    digests.set(colour, (digests.get(colour) ?? new Set()).add(body.result.digest))
  }
  for (const [colour, values] of digests) if (values.size !== 1) note(`colour ${colour} has ${values.size} digests`)
  if (new Set([...digests.values()].flatMap((set) => [...set])).size !== digests.size)
    note('two colours have the same bytes')
  const place = new Map(acceptedOrder.map((id, index) => [id, index]))
  starts.sort(([one, oneAt], [other, otherAt]) =>
    oneAt < otherAt ? -1 : oneAt > otherAt ? 1 : place.get(one) - place.get(other),
  )
  const late = starts.filter(([id], index) => index > 0 && place.get(id) < place.get(starts[index - 1][0]))
  if (late.length > 0) note(`${late.length} were started out of order, the first ${late[0]}`)

  clearInterval(watching)
  const times = await new Promise((resolve) => {
    health.once('message', resolve)
    health.send('stop')
  })
  control.disconnect()
  main.close()
  // Idle connections close by themselves.
  await waitFor(() => holdings(server.pid).descriptors <= before.descriptors, 15_000)
  const after = holdings(server.pid)
  if (after.descriptors > before.descriptors) note(`descriptors: ${before.descriptors}, then ${after.descriptors}`)
  if (after.processes > before.processes) note(`processes: ${before.processes}, then ${after.processes}`)
  const incoming = listed(join(places.state, 'projects', 'incoming'))
  if (incoming.length > 0) note(`uploads left: ${incoming.slice(0, 5)}`)
  const children = descendants(server.pid)
  server.child.kill('SIGTERM')
  const { code } = await server.done
  if (code !== 0 && code !== 143) note(`the server ended with ${code}`)
  const alive = children.filter(isAlive)
  if (alive.length > 0) note(`processes left: ${alive.map(({ command }) => command.slice(0, 80))}`)
  const files = listed(places.temp)
  if (files.length > 0) note(`temporary files left: ${files.slice(0, 10)}`)
  console.log(JSON.stringify({ states, seconds: Math.round(seconds), before, after, peakMiB, health: times }, null, 1))
} finally {
  server.child.kill('SIGKILL')
  await server.done
  writeFileSync(join(tmpdir(), 'vid-soak-log.txt'), server.stderr)
  rmSync(work, { recursive: true, force: true })
}
console.log(`${count} requests, ${wrong.length} wrong`)
process.exitCode = wrong.length > 0 ? 1 : 0
