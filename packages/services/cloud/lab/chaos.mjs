// Kills processes of the hosted API at random while clients submit, and looks for what is lost, doubled or left: npm run lab -- cloud-chaos.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readManifest, writeProjectZip } from '@vid/project'
import { randomOf } from '../../../../e2e/long/fuzz/random.mjs'
import { descendants, isAlive, kill, waitFor } from '../../../../e2e/long/support/processes.mjs'
import { toWav } from '../../../engine/cli/lab/example-media/wav.mjs'
import { freePort, startPostgres, startReplicatedPostgres } from './postgres.mjs'
import { killAll, makeAccount, page, startCloud, startIn, vidJson } from './server.mjs'

const { values: flags } = parseArgs({
  options: {
    submits: { type: 'string', default: '500' },
    accounts: { type: 'string', default: '1' },
    clients: { type: 'string', default: '20' },
    kills: { type: 'string', default: '30' },
    apis: { type: 'string', default: '2' },
    workers: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    format: { type: 'string', default: 'mp4' },
    embedded: { type: 'boolean', default: false },
    standby: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  console.log(`npm run lab -- cloud-chaos [--submits 500] [--accounts 1] [--clients 20] [--kills 30] [--apis 2] [--workers 3] [--seed 1] [--format mp4] [--embedded | --standby]

Clients submit renders of several accounts to several servers, each with an idempotency key that they repeat, while servers,
workers and Postgres are killed; so many are submitted as are killed, in turn. Every accepted render must end once, repeated keys must name one render, every video must have the bytes of a local
render, each callback must arrive, and nothing may be left after everything was deleted. With --embedded, one process with its
own database is killed and started again. With --standby, a standby takes the place of a Postgres that is killed. With --format hls, the videos have sound, and clients look at
the playlists of pictures and sound meanwhile, which must only grow. The S3 server of VID_S3_ENDPOINT is used where there is one:
  npm run lab -- s3-server npm run lab -- cloud-chaos`)
  process.exit()
}
const [submits, accounts, clients, kills, apiCount, workerCount, seed] = [
  'submits',
  'accounts',
  'clients',
  'kills',
  'apis',
  'workers',
  'seed',
].map((name) => Number(flags[name]))
const { format } = flags
const isHls = format === 'hls'
const END_MS = 3_600_000
/** How often a process that was killed may fail to start. */
const RESTARTS = 5
const compositions = [
  { colour: 'teal', seconds: 0.1 },
  { colour: 'navy', seconds: 0.1 },
  { colour: 'olive', seconds: 0.2 },
  // Three segments and more, which become jobs of their own.
  { colour: 'maroon', seconds: isHls ? 24 : 8 },
]
const random = randomOf(seed, 0)
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** The playlists of a video: of its one size, and of its sound. */
const PLAYLISTS = ['1080p.m3u8', 'audio.m3u8']
/** The names of the media segments in a playlist. */
const mediaOf = (text) => text.split('\n').filter((line) => line.endsWith('.m4s'))

const RATE = 44_100
/** A tone as a WAV file. */
const tone = (seconds, hertz) => {
  const samples = Float32Array.from(
    { length: seconds * RATE },
    (_, at) => 0.3 * Math.sin((2 * Math.PI * hertz * at) / RATE),
  )
  return toWav([samples, samples])
}

const work = mkdtempSync(join(tmpdir(), 'vid-cloud-chaos-'))
const places = { cwd: join(work, 'cwd'), temp: join(work, 'temp') }
for (const folder of Object.values(places)) mkdirSync(folder)
const wrong = []
let killed = 0
const running = new Set()
/** Children of processes that were killed. */
const strays = []
let postgres
/** Why the run ends early: a process that cannot be started again, or a signal. */
let failure
for (const name of ['SIGINT', 'SIGTERM'])
  process.once(name, () => {
    failure = new Error(`${name} came`)
  })
/** Callbacks that have arrived: render → deliveries. */
const delivered = new Map()
const receiver = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const { event_type, event_data } = JSON.parse(text)
    const entries = delivered.get(event_data.render_id) ?? new Set()
    delivered.set(event_data.render_id, entries.add(`${request.headers['x-host-delivery']} ${event_type}`))
    response.end()
  })
})

try {
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const callback = `http://127.0.0.1:${receiver.address().port}/`
  const projects = []
  for (const [index, { colour, seconds }] of compositions.entries()) {
    const folder = join(work, `c${index}`)
    mkdirSync(folder)
    const sound = isHls ? `<audio src="tone.wav" data-start="0" data-duration="${seconds}"></audio>` : ''
    writeFileSync(join(folder, 'index.html'), page(colour, seconds, sound))
    if (isHls) writeFileSync(join(folder, 'tone.wav'), tone(seconds, 220 * (index + 1)))
    const zip = join(work, `c${index}.zip`)
    await writeProjectZip(folder, await readManifest(folder), zip)
    const output = join(work, `c${index}${isHls ? '' : '.mp4'}`, ...(isHls ? ['video'] : []))
    const words = [
      'render',
      folder,
      '--format',
      format,
      '-o',
      output,
      '--quality',
      'draft',
      '--resolution',
      '1080x1080',
    ]
    const { code, stderr } = await startIn(places, [...words, '--raster', 'portable', '--network', 'declared']).done
    if (code !== 0) throw new Error(stderr)
    const file = isHls ? `${output}.zip` : output
    if (isHls) await writeProjectZip(output, await readManifest(output), file)
    const segments = Object.fromEntries(
      (isHls ? PLAYLISTS : []).map((name) => [name, mediaOf(readFileSync(join(output, name), 'utf8'))]),
    )
    projects.push({ zip: readFileSync(zip), digest: sha256(readFileSync(file)), segments })
  }

  const s3 = process.env.VID_S3_ENDPOINT
  const env = { VID_SANDBOX: 'auto' }
  if (!flags.embedded) {
    postgres = await (flags.standby ? startReplicatedPostgres() : startPostgres())
    env.DATABASE_URL = postgres.url
  }
  if (s3) {
    const { VID_S3_ACCESS_KEY, VID_S3_SECRET_KEY } = process.env
    Object.assign(env, {
      AWS_ENDPOINT_URL_S3: s3,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: VID_S3_ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: VID_S3_SECRET_KEY,
    })
    const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3')
    const credentials = { accessKeyId: env.AWS_ACCESS_KEY_ID, secretAccessKey: env.AWS_SECRET_ACCESS_KEY }
    const client = new S3Client({ endpoint: s3, region: 'us-east-1', credentials, forcePathStyle: true })
    await client.send(new CreateBucketCommand({ Bucket: 'vid-chaos' }))
    client.destroy()
  }
  const state = join(work, 'state')
  const shared = [
    '--state',
    state,
    '--spread-segments',
    '1',
    '--allow-private-addresses',
    '--purge-after',
    '0',
    '--log-level',
    'info',
    ...(s3 ? ['--storage', 's3://vid-chaos/files'] : []),
  ]
  const roles = flags.embedded ? ['all'] : [...Array(apiCount).fill('api'), ...Array(workerCount).fill('worker')]
  const parts = []
  for (const role of roles) {
    const port = await freePort()
    const words = [
      '--role',
      role,
      '--port',
      String(port),
      ...(role === 'api' ? [] : ['--max-concurrent-renders', '1']),
      ...shared,
    ]
    const part = {
      role,
      url: `http://127.0.0.1:${port}`,
      start: () => startCloud(places, words, env),
      server: undefined,
    }
    part.server = await part.start()
    running.add(part.server)
    parts.push(part)
  }
  const apis = parts.filter(({ role }) => role !== 'worker').map(({ url }) => url)

  const keys = []
  while (keys.length < accounts) keys.push(await makeAccount(places, state, env))
  /** Sends a request to some server until one answers with something final. */
  const ask = async (account, method, path, options = {}) => {
    for (let tries = 0; ; tries += 1) {
      if (failure) throw failure
      try {
        const reply = await fetch(`${random.pick(apis)}${path}`, {
          method,
          redirect: 'error',
          signal: AbortSignal.timeout(120_000),
          ...options,
          headers: { 'x-api-key': keys[account], ...options.headers },
        })
        const body = await reply.json()
        const isPassing = reply.status >= 500 || reply.status === 429 || body.error?.code === 'request_in_progress'
        if (!isPassing) return { status: reply.status, body }
        if (tries > 400) return { status: reply.status, body }
      } catch (cause) {
        if (tries > 400) throw cause
      }
      await pause(200 + random.below(800))
    }
  }
  const upload = async (account, index) => {
    const form = new FormData()
    form.set('file', new Blob([projects[index].zip], { type: 'application/zip' }), 'project.zip')
    const { status, body } = await ask(account, 'POST', '/v3/assets', {
      body: form,
      headers: { 'idempotency-key': `asset-${index}` },
    })
    if (status !== 200) throw new Error(`upload: ${status} ${JSON.stringify(body)}`)
    return body.data.asset_id
  }
  /** Ids of the projects of each account. */
  const assets = []
  for (const account of keys.keys()) {
    assets.push([])
    for (const index of projects.keys()) assets[account].push(await upload(account, index))
  }

  /** What was accepted: key → render and composition. */
  const accepted = new Map()
  let sent = 0
  const client = async () => {
    while (sent < submits) {
      const number = sent
      sent += 1
      while (!failure && killed < kills && number / submits > (killed + 1) / kills) await pause(100)
      const account = number % accounts
      // Every tenth is long; of videos that are played, every third.
      const nth = isHls ? 3 : 10
      const index = number % nth === nth - 1 ? 3 : random.below(3)
      const idempotency = `chaos-${number}`
      const body = JSON.stringify({
        project: { type: 'asset_id', asset_id: assets[account][index] },
        quality: 'draft',
        format,
        ...(number % 5 === 0 && { callback_url: callback, callback_id: idempotency }),
      })
      const options = {
        body,
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotency },
      }
      const replies = await Promise.all(
        Array.from({ length: 1 + random.below(3) }, () => ask(account, 'POST', '/v3/vid/renders', options)),
      )
      const ids = new Set(replies.map((reply) => reply.body.data?.render_id))
      if (ids.size !== 1 || replies.some(({ status }) => status !== 202))
        wrong.push(`${idempotency}: ${JSON.stringify(replies).slice(0, 600)}`)
      accepted.set(idempotency, { id: [...ids][0], account, index, hasCallback: number % 5 === 0 })
      await pause(random.below(500))
    }
  }
  const openOf = async (account) => {
    let open = 0
    for (let token; ; ) {
      const { body } = await ask(account, 'GET', `/v3/vid/renders?limit=100${token ? `&token=${token}` : ''}`)
      open += body.data.filter(({ status }) => ['queued', 'rendering'].includes(status)).length
      if (!body.has_more) return open
      token = body.next_token
    }
  }
  const openRenders = async () => {
    let open = 0
    for (const account of keys.keys()) open += await openOf(account)
    return open
  }

  let isDone = false
  /** What a player has seen: render and playlist → number of media segments. */
  const watched = new Map()
  /** Looks at one playlist as a player does; whether it is whole, undefined where no server answers. */
  const lookAt = async (id, url, name, segments) => {
    const reply = await fetch(new URL(name, url)).catch(() => undefined)
    const text = await reply?.text().catch(() => undefined)
    if (reply?.status !== 200 || text === undefined) return undefined
    const names = mediaOf(text)
    const playlist = `${id} ${name}`
    const before = watched.get(playlist) ?? 0
    if (names.length < before || names.some((part, number) => part !== segments[number]))
      wrong.push(`${id}: ${name} lists ${names} after ${before} segments`)
    if (names.length > before) {
      const part = await fetch(new URL(names.at(-1), url)).catch(() => undefined)
      await part?.body?.cancel()
      if (part && part.status < 500 && part.status !== 200) wrong.push(`${id}: ${names.at(-1)} answers ${part.status}`)
    }
    watched.set(playlist, Math.max(before, names.length))
    const isWhole = names.length === segments.length && text.trimEnd().endsWith('#EXT-X-ENDLIST')
    return { isWhole, text, isGrowing: names.length < segments.length && names.length > 0 }
  }
  /** Looks at the playlists of a render; false where there is none yet, or no server answers. */
  const look = async ({ id, account, index }) => {
    const { body } = await ask(account, 'GET', `/v3/vid/renders/${id}`)
    const { status, playlist_url: url } = body.data
    if (url === null) return false
    const seen = []
    for (const name of PLAYLISTS) seen.push(await lookAt(id, url, name, projects[index].segments[name]))
    if (seen.includes(undefined)) return false
    const partial = seen.find(({ isWhole }) => !isWhole)
    if (status === 'completed' && partial) wrong.push(`${id} has completed with the playlist ${partial.text}`)
    if (status !== 'completed' && seen.every(({ isGrowing }) => isGrowing)) seenGrowing.add(id)
    return partial === undefined
  }
  const seenGrowing = new Set()
  const viewer = async () => {
    while (isHls && !isDone) {
      const renders = [...accepted.values()]
      for (const render of renders) if (!isDone) await look(render).catch(() => false)
      await pause(200)
    }
  }
  /** Starts a process again, as a service manager does: on a busy machine it may find its database away at first. */
  const restart = async (part) => {
    for (let tries = 1; ; tries += 1)
      try {
        return await part.start()
      } catch (cause) {
        if (tries === RESTARTS || failure) throw cause
        console.log(`${part.role} ${part.url} did not start: ${String(cause.message).split('\n').slice(1, 2)}`)
      }
  }
  const killer = async () => {
    while (killed < kills && !isDone && !failure) {
      await pause(2000 + random.below(6000))
      const choice = random.below(flags.embedded ? 1 : 10)
      if (choice >= (flags.standby ? 6 : 8)) {
        await postgres.kill()
        console.log('killed Postgres')
        await pause(random.below(4000))
        await postgres.start()
      } else {
        const part = random.pick(parts)
        const children = descendants(part.server.pid)
        part.server.child.kill('SIGKILL')
        await part.server.done
        running.delete(part.server)
        strays.push(...children)
        console.log(`killed ${part.role} ${part.url}, ${accepted.size} accepted`)
        await pause(random.below(4000))
        part.server = await restart(part)
        running.add(part.server)
      }
      killed += 1
    }
  }
  const startedMs = performance.now()
  const killing = killer().catch((cause) => {
    failure = cause
  })
  const viewing = viewer()
  await Promise.all(Array.from({ length: clients }, client))
  console.log(`${accepted.size} accepted after ${Math.round((performance.now() - startedMs) / 1000)} s`)
  const ended = await waitFor(async () => {
    const open = await openRenders()
    if (open > 0) await pause(5000)
    return open === 0
  }, END_MS)
  if (!ended) wrong.push(`${await openRenders()} renders did not end`)
  isDone = true
  await Promise.all([killing, viewing])
  if (failure) throw failure
  if (isHls)
    console.log(`${watched.size / PLAYLISTS.length} videos were looked at, ${seenGrowing.size} of them while they grew`)
  console.log(`${killed} kills; all ended after ${Math.round((performance.now() - startedMs) / 1000)} s`)

  const ids = new Set([...accepted.values()].map(({ id }) => id))
  if (ids.size !== submits) wrong.push(`${submits} keys name ${ids.size} renders`)
  /** Seconds of video that each account has to be billed. */
  const expected = keys.map(() => 0)
  for (const [idempotency, { id, account, index }] of accepted) {
    expected[account] += compositions[index].seconds
    const { status, body } = await ask(account, 'GET', `/v3/vid/renders/${id}`)
    if (status !== 200 || body.data.status !== 'completed') {
      wrong.push(`${idempotency} ${id} ended as ${JSON.stringify(body).slice(0, 400)}`)
      continue
    }
    const video = await fetch(body.data.video_url)
    const digest = sha256(Buffer.from(await video.arrayBuffer()))
    if (digest !== projects[index].digest) wrong.push(`${idempotency} ${id} has other bytes than a local render`)
    if (isHls && !(await look({ id, account, index }))) wrong.push(`${idempotency} ${id} has no whole playlist`)
    if (digest !== body.data.sha256) wrong.push(`${idempotency} ${id} has other bytes than its record says`)
  }
  const withCallback = [...accepted.values()].filter(({ hasCallback }) => hasCallback)
  const missing = () => withCallback.filter(({ id }) => !delivered.has(id))
  await waitFor(() => missing().length === 0, 180_000)
  for (const { id } of missing()) wrong.push(`no callback for ${id}`)
  for (const [id, names] of delivered) if (names.size > 1) wrong.push(`${id} has several deliveries: ${[...names]}`)
  const billed = []
  for (const account of keys.keys())
    billed.push((await ask(account, 'GET', '/v3/users/me')).body.data.billing.billed_seconds)

  for (const [account, seconds] of expected.entries())
    if (Math.abs(billed[account] - seconds) > 0.01)
      wrong.push(`account ${account} is billed ${billed[account]} seconds, and has rendered ${seconds}`)

  // Everything is deleted, and nothing may be left once the sweep has run.
  for (const { id, account } of accepted.values()) await ask(account, 'DELETE', `/v3/vid/renders/${id}`)
  const left = await waitFor(async () => {
    const report = await vidJson(
      places,
      ['cloud', 'doctor', '--sweep', '--state', state, ...(s3 ? ['--storage', 's3://vid-chaos/files'] : [])],
      env,
    )
    const { renders = 0, results = 0, jobs = 0 } = report.left ?? {}
    return renders + results + jobs === 0
  }, 120_000)
  if (!left) wrong.push('files or rows of deleted renders are left')

  for (const stray of strays.filter(isAlive)) {
    wrong.push(`still runs: ${stray.command.slice(0, 100)}`)
    kill(stray.pid)
  }
  for (const part of parts) {
    part.server.child.kill('SIGTERM')
    const { code } = await part.server.done
    if (code !== 0) wrong.push(`${part.role} ended with ${code}`)
  }
  console.log(
    `billed ${billed.join(', ')} seconds of ${expected.map((seconds) => seconds.toFixed(1)).join(', ')}; ${delivered.size} callbacks`,
  )
} finally {
  await killAll(running, strays)
  await postgres?.close()
  receiver.close()
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
for (const problem of wrong) console.log(`WRONG ${problem}`)
console.log(`${submits} submits, ${killed} kills, ${wrong.length} wrong`)
process.exitCode = wrong.length > 0 ? 1 : 0
