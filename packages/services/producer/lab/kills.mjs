// Ends a render server in the middle of its queue, starts it again, and looks for a request that was lost or changed: npm run lab -- producer-kills.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readManifest, writeProjectZip } from '@vid/project'
import { randomOf } from '../../../../e2e/long/fuzz/random.mjs'
import { descendants, isAlive, kill, waitFor } from '../../../../e2e/long/support/processes.mjs'
import { connect, formOf, jsonOf } from './client.mjs'
import { listed, logOf, makePlaces, page, startServer } from './server.mjs'

const { values: flags } = parseArgs({
  options: {
    count: { type: 'string', default: '25' },
    first: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  console.log(`npm run lab -- producer-kills [--count 25] [--first 0] [--seed 1]

Kills a server with --state in the middle of a queue, at a random moment, every fifth time with SIGTERM, and starts it again: every
accepted request must end once, with the bytes of a render that nothing disturbs, and nothing may be left over.`)
  process.exit()
}
const [count, first, seed] = [flags.count, flags.first, flags.seed].map(Number)
const END_MS = 300_000
/** Three short compositions and a longer one, so that some are killed in the middle. */
const compositions = [
  { colour: 'teal', seconds: 0.1 },
  { colour: 'navy', seconds: 0.1 },
  { colour: 'olive', seconds: 0.1 },
  { colour: 'maroon', seconds: 4 },
]

const work = mkdtempSync(join(tmpdir(), 'vid-producer-kills-'))
const places = makePlaces(work)
const settings = { quality: 'draft' }
const bodies = []
for (const [index, { colour, seconds }] of compositions.entries()) {
  const folder = join(places.root, `c${index}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.html'), page(colour, '', seconds))
  const zip = join(work, `c${index}.zip`)
  await writeProjectZip(folder, await readManifest(folder), zip)
  bodies.push({
    html: jsonOf({ html: page(colour, '', seconds), ...settings }),
    folder: jsonOf({ projectDir: `c${index}`, ...settings }),
    zip: formOf(settings, readFileSync(zip)),
  })
}
const start = (state) => startServer(places, ['--state', state, '--max-concurrent-renders', '2'])

let bad = 0
const servers = new Set()
try {
  const undisturbed = []
  const calm = await start(join(work, 'calm'))
  servers.add(calm)
  for (const { html } of bodies) {
    const client = connect(calm.url)
    undisturbed.push((await client.json('POST', '/render', html)).body.digest)
    client.close()
  }
  calm.child.kill('SIGTERM')
  await calm.done

  for (let number = first; number < first + count; number++) {
    const random = randomOf(seed, number)
    const wrong = []
    const state = join(work, `state-${number}`)
    const signal = number % 5 === 4 ? 'SIGTERM' : 'SIGKILL'
    const before = await start(state)
    servers.add(before)
    const client = connect(before.url)
    const accepted = new Map()
    // A moment that the queue has reached, and then some milliseconds: there is always work left.
    const isEarly = random.below(4) === 0
    const reached = isEarly ? 1 + random.below(5) : random.below(4)
    const delayMs = random.below(200)
    let isSent = false
    const ended = () => logOf(before).filter(({ msg }) => msg === 'request ended').length
    const killing = waitFor(() => (isEarly ? accepted.size >= reached : isSent && ended() >= reached), END_MS).then(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, delayMs))
        const children = descendants(before.pid)
        before.child.kill(signal)
        return children
      },
    )
    for (let index = 0; index < 6; index++) {
      const composition = random.below(compositions.length)
      const { headers, body } = bodies[composition][random.pick(['html', 'folder', 'zip'])]
      const id = `kill-${number}-${index}`
      const sent = { headers: { ...headers, prefer: 'respond-async', 'x-request-id': id }, body }
      const reply = await client.json('POST', '/render', sent).catch(() => undefined)
      if (reply?.status === 202) accepted.set(id, composition)
      else if (reply && reply.status !== 503) wrong.push(`${id}: ${JSON.stringify(reply)}`)
    }
    isSent = true
    const children = await killing
    await before.done
    client.close()
    const endedBefore = ended()

    const after = await start(state)
    servers.add(after)
    const again = connect(after.url)
    for (const [id, composition] of accepted) {
      const stream = await again.send('GET', `/render/${id}/stream`)
      const { body } = await again.json('GET', `/render/${id}`)
      const ends = stream.bytes.toString().match(/"type":"(complete|error|cancelled)"/g) ?? []
      if (ends.length !== 1 || body.status !== 'completed')
        wrong.push(`${id} ended as ${ends} ${JSON.stringify(body).slice(0, 400)}`)
      else if (body.result.digest !== undisturbed[composition]) wrong.push(`${id} has other bytes`)
      else {
        const output = await again.send('GET', body.result.outputUrl)
        if (output.status !== 200 || output.bytes.length !== body.result.fileSize)
          wrong.push(`the output of ${id} cannot be fetched: ${output.status}`)
      }
    }
    await waitFor(async () => {
      const { body } = await again.json('GET', '/render/queue')
      return body.activeRenders + body.queuedRenders === 0
    }, END_MS)
    again.close()
    const ends = logOf(after).filter(({ msg }) => msg === 'request ended')
    const twice = ends.filter(({ requestId }, index) => ends.findIndex((end) => end.requestId === requestId) !== index)
    if (twice.length > 0) wrong.push(`ended twice: ${twice.map(({ requestId }) => requestId)}`)
    // Pipes of a killed server close, and its browsers and encoders end by that.
    await waitFor(() => !children.some(isAlive), 10_000)
    for (const left of children.filter(isAlive)) {
      wrong.push(`still runs: ${left.command.slice(0, 100)}`)
      kill(left.pid)
    }
    const processes = descendants(after.pid)
    after.child.kill('SIGTERM')
    await after.done
    // Processes of a closed browser may end a moment after it.
    await waitFor(() => !processes.some(isAlive), 5000)
    for (const left of processes.filter(isAlive)) wrong.push(`still runs: ${left.command.slice(0, 100)}`)
    const files = listed(places.temp)
    if (files.length > 0) wrong.push(`temporary files: ${files.slice(0, 8)}`)
    const strange = listed(state).filter((name) => /incoming\/|(^|\/)new-|\.new$|^lock/.test(name))
    if (strange.length > 0) wrong.push(`left in the state folder: ${strange}`)
    bad += wrong.length > 0 ? 1 : 0
    const moment = `${reached} ${isEarly ? 'accepted' : 'ended'} and ${delayMs} ms`
    const facts = `${String(number).padStart(3)} ${signal} after ${moment}: ${accepted.size} accepted, ${endedBefore} ended before, ${ends.length} after`
    console.log(`${wrong.length > 0 ? 'WRONG' : 'ok   '} ${facts}`)
    for (const problem of wrong) console.log(`        ${problem}`)
    rmSync(state, { recursive: true, force: true })
  }
} finally {
  for (const { child } of servers) child.kill('SIGKILL')
  rmSync(work, { recursive: true, force: true })
}
console.log(`${count} runs, ${bad} wrong`)
process.exitCode = bad > 0 ? 1 : 0
